import { testEvent } from '@loci/contract/webhooks'
import { hourMs, minuteMs, secondMs } from '../../../lib/time.ts'

/** How long after the nth failure a delivery is tried again; after the last one it is `failed`. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** After a failure that is not about one event, an endpoint gets nothing for so long. */
export const restMs = retryDelaysMs[0]!

/** When a delivery that failed for the `tries`th time at `at` is tried again; null when it is given up. */
export function nextAttemptAfter(event: string, tries: number, at: number): number | null {
  const delay = retryDelaysMs[tries - 1]
  return delay === undefined || event === testEvent ? null : at + delay
}

export const isSuccess = (statusCode: number | null) =>
  statusCode !== null && statusCode >= 200 && statusCode < 300

/** The receiver wants no more events (Standard Webhooks). */
export const isGone = (statusCode: number | null) => statusCode === 410

/**
 * True when an event failed, and others would too: no answer, an error of the receiver, or too many requests. Any other
 * 4xx is a refusal of this event.
 */
export function isUnwell(statusCode: number | null): boolean {
  return statusCode === null || statusCode >= 500 || statusCode === 408 || statusCode === 429
}
