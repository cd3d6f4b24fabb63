import { z } from 'zod'
import { type ChangeOperation, changeOperations } from './changes.ts'
import { NextCursor, PageQuery } from './lists.ts'
import { proposalEvents } from './proposals.ts'
import { IsoDateTime, MomentInput, text } from './text.ts'

/** Event name of an operation: `entity_created` -> `entity.created`. */
export function eventOf(operation: ChangeOperation): string {
  return operation.replace('_', '.')
}

/** Every event that an endpoint can subscribe to. */
export const webhookEvents: readonly string[] = [...changeOperations.map(eventOf), ...proposalEvents]
/** Subscribes to all events, including future ones. */
export const everyEvent = '*'
/** The event of `POST /api/webhooks/:id/test`. */
export const testEvent = 'webhook.test'

/** Hours that deliveries are also signed with the old secret after a roll. */
export const oldSecretHours = 24
/** An endpoint that fails for this many days without a success is disabled. */
export const failingDaysMax = 5

/** The URL of an endpoint; the server decides which addresses are allowed. */
const WebhookUrl = text(1, 2_048, 'URL')
const WebhookDescription = text(0, 500, 'Description').transform((value) => value.trim())
const WebhookEvents = z
  .array(
    z.enum([everyEvent, ...webhookEvents], {
      error: `Must be one of ${everyEvent}, ${webhookEvents.join(', ')}`,
    }),
  )
  .min(1, 'Choose at least one event')
  .max(64)
const WebhookSpaces = z
  .array(text(1, 128, 'Space'))
  .min(1, 'Choose at least one space')
  .max(100)

export const WebhookStatus = z.enum(['active', 'disabled'])
export type WebhookStatus = z.infer<typeof WebhookStatus>

/**
 * Why an endpoint is disabled: no success for {@link failingDaysMax} days; it responded with 410; its
 * owner turned it off; the plan allows fewer endpoints.
 */
export const DisabledReason = z.enum(['failing', 'gone', 'owner', 'plan'])
export type DisabledReason = z.infer<typeof DisabledReason>

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string(),
  /** Ids of the spaces whose changes are sent; null for all. */
  spaces: z.array(z.string()).nullable(),
  status: WebhookStatus,
  disabledReason: DisabledReason.nullable(),
  disabledAt: IsoDateTime.nullable(),
  /** The first failure since the newest success; null while deliveries succeed. */
  failingSince: IsoDateTime.nullable(),
  /** Rounded to the minute. */
  lastSuccessAt: IsoDateTime.nullable(),
  createdAt: IsoDateTime,
})
export type Webhook = z.infer<typeof Webhook>

export const WebhooksResponse = z.object({ webhooks: z.array(Webhook) })
export const WebhookResponse = z.object({ webhook: Webhook })

export const CreateWebhook = z.object({
  url: WebhookUrl,
  events: WebhookEvents.default([everyEvent]),
  description: WebhookDescription.default(''),
  /** Ids or names; all spaces if absent. */
  spaces: WebhookSpaces.optional(),
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

/** Omitted fields are unchanged; `spaces: null` means all spaces. */
export const UpdateWebhook = z
  .object({
    url: WebhookUrl,
    events: WebhookEvents,
    description: WebhookDescription,
    spaces: WebhookSpaces.nullable(),
    status: WebhookStatus,
  })
  .partial()
export type UpdateWebhook = z.infer<typeof UpdateWebhook>

/** The only response that contains the secret, `whsec_...`. */
export const NewWebhook = z.object({ webhook: Webhook, secret: z.string() })
export type NewWebhook = z.infer<typeof NewWebhook>
export const WebhookSecretResponse = z.object({ secret: z.string() })

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

export const DeliveryAttempt = z.object({
  at: IsoDateTime,
  /** Null if no response arrived. */
  statusCode: z.number().int().nullable(),
  ms: z.number().int(),
  /** Why it failed; absent on success. */
  error: z.string().optional(),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const Delivery = z.object({
  id: z.string(),
  /** The header `webhook-id`: the same for every attempt. */
  eventId: z.string(),
  event: z.string(),
  status: DeliveryStatus,
  /** The newest attempts, oldest first. */
  attempts: z.array(DeliveryAttempt),
  nextAttemptAt: IsoDateTime.nullable(),
  createdAt: IsoDateTime,
})
export type Delivery = z.infer<typeof Delivery>

export const ListDeliveriesQuery = PageQuery.extend({ status: DeliveryStatus.optional() })
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>
export const DeliveriesResponse = z.object({ deliveries: z.array(Delivery), nextCursor: NextCursor })
export type DeliveriesResponse = z.infer<typeof DeliveriesResponse>

export const DeliveryDetail = Delivery.extend({
  /** The body of an attempt, as text; null if the change is no longer known. */
  body: z.string().nullable(),
  /** The beginning of the newest response; null if none arrived. */
  answer: z.string().nullable(),
})
export type DeliveryDetail = z.infer<typeof DeliveryDetail>
export const DeliveryResponse = z.object({ delivery: DeliveryDetail })

/** Which failed deliveries to send again: those of events first sent at this time or later. */
export const RedeliverFailed = z.object({ since: MomentInput })
export type RedeliverFailed = z.infer<typeof RedeliverFailed>
/** How many deliveries are sent again. */
export const RedeliverFailedResponse = z.object({ count: z.number().int() })
export type RedeliverFailedResponse = z.infer<typeof RedeliverFailedResponse>
