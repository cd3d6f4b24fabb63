import { failingDaysMax } from '@loci/contract/webhooks'
import { dayMs, secondMs, toIso } from '../../../ground/lib/time.ts'
import type { StoredDelivery } from '../deliveries.repo.ts'
import type { Fault } from '../webhook-mails.ts'
import type { Posted } from './post.ts'
import { isGone, isSuccess, isUnwell, nextAttemptAfter } from './retries.rules.ts'
import type { Target } from './targets.repo.ts'

const attemptsKept = 20
/** An attempt begins some milliseconds after the time that the schedule counts from. */
const scheduleSlackMs = secondMs

/** A delivery that was sent again, because it was due at `dueAt`. */
export type Retried = { delivery: StoredDelivery; dueAt: number | null }

/** Results of a turn that are not stored yet. */
export type Results = {
  target: Target
  added: StoredDelivery[]
  tried: Retried[]
  /** Newest change dealt with, by space. */
  cursors: Map<number, number>
  /** Null if nothing has succeeded. */
  succeededAt: number | null
  failingSince: number | null
  disable: Fault | null
}

export function noResults(target: Target): Results {
  return {
    target,
    added: [],
    tried: [],
    cursors: new Map(),
    succeededAt: null,
    failingSince: target.failingSince,
    disable: null,
  }
}

export const isEmpty = ({ added, tried, cursors }: Results) =>
  added.length === 0 && tried.length === 0 && cursors.size === 0

/** The delivery after an attempt. */
export function afterAttempt(
  delivery: StoredDelivery,
  { at, statusCode, ms, error, answer }: Posted,
  endedAt: number,
): StoredDelivery {
  const planned = plannedRetry(delivery)
  const isEarly = planned !== null && at < planned - scheduleSlackMs
  const tries = delivery.tries + (isEarly ? 0 : 1)
  const attempt = {
    ...{ at: toIso(at), statusCode, ms },
    ...(error === undefined ? {} : { error }),
    ...(isEarly ? { early: true as const } : {}),
  }
  const attempts = [...delivery.attempts, attempt].slice(-attemptsKept)
  const after = { ...delivery, tries, attempts, answer: answer ?? delivery.answer }
  if (isSuccess(statusCode)) return { ...after, status: 'delivered', nextAttemptAt: null }
  const nextAttemptAt = isEarly ? planned : nextAttemptAfter(delivery.event, tries, endedAt)
  return { ...after, status: nextAttemptAt === null ? 'failed' : 'pending', nextAttemptAt }
}

/** When the schedule retries a delivery; null if it does not. */
function plannedRetry({ event, tries, attempts }: StoredDelivery): number | null {
  const last = attempts.findLast(({ early }) => early !== true)
  return last === undefined ? null : nextAttemptAfter(event, tries, Date.parse(last.at))
}

/** True if the endpoint responds again after failures. */
export const hasRecovered = ({ target, succeededAt, failingSince }: Results) =>
  target.failingSince !== null && succeededAt !== null && failingSince === null

/**
 * True if a delivery waits because its endpoint was unwell, and was not brought forward already. An event that alone
 * fails is therefore sent at most twice as often as the schedule says.
 */
export function waitsForRecovery({ attempts }: StoredDelivery): boolean {
  const last = attempts.at(-1)
  return last !== undefined && last.early !== true && isUnwell(last.statusCode)
}

/** Records what an attempt says about the endpoint's health. */
export function noteHealth(results: Results, { at, statusCode }: Posted): void {
  if (isSuccess(statusCode)) {
    results.succeededAt = at
    results.failingSince = null
    return
  }
  results.failingSince ??= at
  if (isGone(statusCode)) results.disable = 'gone'
  else if (at - results.failingSince >= failingDaysMax * dayMs) results.disable = 'failing'
}
