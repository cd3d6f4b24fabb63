import { endpoints } from '../endpoint.ts'
import {
  CreateWebhook,
  DeliveriesResponse,
  DeliveryResponse,
  ListDeliveriesQuery,
  NewWebhook,
  UpdateWebhook,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
} from '../webhooks.ts'
import { accepted, created, empty, json } from './statuses.ts'

/** Every call for webhooks. */
const webhooks = {
  access: 'webhooks:manage',
  tag: 'Webhooks',
} as const

export const webhooksApi = endpoints({
  listWebhooks: {
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List webhook endpoints',
    ...webhooks,
    ...json,
    response: WebhooksResponse,
  },
  createWebhook: {
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Create a webhook endpoint; its signing secret is returned only once',
    secret: true,
    ...webhooks,
    ...created,
    body: CreateWebhook,
    response: NewWebhook,
  },
  getWebhook: {
    method: 'GET',
    path: '/api/webhooks/:id',
    summary: 'Get a webhook endpoint',
    ...webhooks,
    ...json,
    response: WebhookResponse,
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/api/webhooks/:id',
    summary: 'Update, disable or enable a webhook endpoint',
    ...webhooks,
    ...json,
    body: UpdateWebhook,
    response: WebhookResponse,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/webhooks/:id',
    summary: 'Delete a webhook endpoint with its deliveries',
    ...webhooks,
    ...empty,
  },
  rollWebhookSecret: {
    method: 'POST',
    path: '/api/webhooks/:id/roll-secret',
    summary: 'Replace the signing secret; the old one also signs for 24 more hours',
    counts: { type: 'update' },
    secret: true,
    ...webhooks,
    ...json,
    response: WebhookSecretResponse,
  },
  testWebhook: {
    method: 'POST',
    path: '/api/webhooks/:id/test',
    summary: 'Send a test event',
    ...webhooks,
    ...accepted,
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    summary: 'List the deliveries of an endpoint, newest first',
    ...webhooks,
    ...json,
    query: ListDeliveriesQuery,
    response: DeliveriesResponse,
  },
  getDelivery: {
    method: 'GET',
    path: '/api/webhooks/:id/deliveries/:deliveryId',
    summary: 'Get a delivery with its body and the latest response',
    ...webhooks,
    ...json,
    response: DeliveryResponse,
  },
  redeliver: {
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:deliveryId/redeliver',
    summary: 'Resend a delivery now',
    ...webhooks,
    ...accepted,
  },
})
