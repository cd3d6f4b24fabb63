import type { Delivery, Webhook } from '@loci/contract/webhooks'

const at = '2026-01-05T09:00:00.000Z'

export const webhookWith = (more: Partial<Webhook> = {}): Webhook => ({
  id: 'whk_1',
  url: 'https://example.com/hook',
  events: ['*'],
  description: '',
  spaces: null,
  status: 'active',
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  lastSuccessAt: null,
  createdAt: at,
  ...more,
})

export const deliveryWith = (more: Partial<Delivery> = {}): Delivery => ({
  id: 'dlv_1',
  eventId: 'evt_1',
  event: 'entity.created',
  status: 'delivered',
  attempts: [{ at, statusCode: 204, ms: 12 }],
  nextAttemptAt: null,
  createdAt: at,
  ...more,
})
