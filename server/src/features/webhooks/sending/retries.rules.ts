import { testEvent } from '@loci/contract/webhooks'
import { hourMs, minuteMs, secondMs } from '../../../ground/lib/time.ts'

/** Delay before a retry after the nth failure; after the last one, the delivery is `failed`. */
const retryDelaysMs: readonly number[] = [
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

/** Pause of an endpoint after a failure that does not concern just one event. */
export const restMs = retryDelaysMs[0]!

/** When to retry a delivery that failed for the `tries`th time at `at`; null if it is given up. */
export function nextAttemptAfter(event: string, tries: number, at: number): number | null {
  const delay = retryDelaysMs[tries - 1]
  return delay === undefined || event === testEvent ? null : at + delay
}

export const isSuccess = (statusCode: number | null) =>
  statusCode !== null && statusCode >= 200 && statusCode < 300

/** The receiver wants no more events (Standard Webhooks). */
export const isGone = (statusCode: number | null) => statusCode === 410

/**
 * True if other events would fail too: no response, a server error, or too many requests. Any other 4xx rejects only
 * this event.
 */
export function isUnwell(statusCode: number | null): boolean {
  return statusCode === null || statusCode >= 500 || statusCode === 408 || statusCode === 429
}
