import type { Handlers } from '../../doors/http/routes.ts'
import { getDelivery, listDeliveries, redeliver, redeliverFailed, sendTest } from './deliveries.service.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rollSecret,
  updateWebhook,
} from './webhooks.service.ts'

export const webhookRoutes = {
  listWebhooks: async ({ ctx, actor }) => ({ webhooks: await listWebhooks(ctx, actor) }),
  createWebhook: ({ ctx, actor, body }) => createWebhook(ctx, actor, body),
  getWebhook: async ({ ctx, actor, params }) => ({ webhook: await getWebhook(ctx, actor, params.id) }),
  updateWebhook: async ({ ctx, actor, params, body }) => ({
    webhook: await updateWebhook(ctx, actor, params.id, body),
  }),
  deleteWebhook: ({ ctx, actor, params }) => deleteWebhook(ctx, actor, params.id),
  rollWebhookSecret: async ({ ctx, actor, params }) => ({ secret: await rollSecret(ctx, actor, params.id) }),
  testWebhook: ({ ctx, actor, params }) => sendTest(ctx, actor, params.id),
  listDeliveries: ({ ctx, actor, params, query }) => listDeliveries(ctx, actor, params.id, query),
  getDelivery: async ({ ctx, actor, params }) => ({
    delivery: await getDelivery(ctx, actor, params.id, params.deliveryId),
  }),
  redeliverFailed: ({ ctx, actor, params, body }) => redeliverFailed(ctx, actor, params.id, body),
  redeliver: ({ ctx, actor, params }) => redeliver(ctx, actor, params.id, params.deliveryId),
} satisfies Partial<Handlers>
