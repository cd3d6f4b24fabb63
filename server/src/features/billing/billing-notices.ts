import type { BillingNotice } from '@loci/contract/billing'
import { z } from 'zod'
import { dayMs } from '../../ground/lib/time.ts'
import { toDate } from './format.ts'
import type { StoredSubscription } from './subscriptions.repo.ts'

/** How long a plan continues past its period while Stripe cannot confirm the renewal. */
export const graceMs = 7 * dayMs

const StoredNotices = z.array(z.object({ code: z.string(), message: z.string() }))

/** `August 3, 2026 (UTC)`. */
export const formatDay = (moment: number) => `${toDate(moment)} (UTC)`

/** Parses stored notices. */
export function parseNotices(text: string): BillingNotice[] {
  return StoredNotices.catch([]).parse(JSON.parse(text))
}

/** Each account is read once an hour. */
const silentMaxMs = dayMs

/**
 * The notice about a subscription at Stripe that this server cannot check, because Stripe is out of reach or not
 * configured. Undefined if all is well.
 */
export function outOfTouchNotice(
  { subscriptionId, nextStepAt, syncedAt }: StoredSubscription,
  { atStripe, now }: { atStripe: boolean; now: number },
): BillingNotice | undefined {
  if (subscriptionId === null) return undefined
  const isSilent = syncedAt !== null && syncedAt < now - silentMaxMs
  if (atStripe && !isSilent) return undefined
  const why = atStripe ? 'cannot be reached at the moment' : 'is not set up on this server'
  const plan =
    nextStepAt === null
      ? 'The plan has ended on this server.'
      : `The plan is kept until ${formatDay(nextStepAt)}.`
  return { code: 'out_of_touch', message: `This account pays through Stripe, which ${why}. ${plan}` }
}
