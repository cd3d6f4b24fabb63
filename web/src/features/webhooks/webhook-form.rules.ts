import { everyEvent, type Webhook, webhookEvents } from '@loci/contract/webhooks'
import type { WebhookInput } from './webhooks.queries.ts'

/** The form's values. */
export type WebhookDraft = { url: string; description: string; all: boolean; events: readonly string[] }

export function draftOf(webhook: Webhook | undefined): WebhookDraft {
  if (webhook === undefined) return { url: '', description: '', all: true, events: [] }
  const all = webhook.events.includes(everyEvent)
  return { url: webhook.url, description: webhook.description, all, events: all ? [] : webhook.events }
}

/** The events are in display order. */
export function inputOf({ url, description, all, events }: WebhookDraft): WebhookInput {
  const chosen = webhookEvents.filter((event) => events.includes(event))
  return { url: url.trim(), description: description.trim(), events: all ? [everyEvent] : chosen }
}

export const isComplete = ({ url, all, events }: WebhookDraft) =>
  url.trim() !== '' && (all || events.length > 0)

/** `All events`, `entity.created`, `3 events` */
export function eventsLabel(events: readonly string[]): string {
  if (events.includes(everyEvent)) return 'All events'
  return events.length === 1 ? events[0]! : `${events.length} events`
}
