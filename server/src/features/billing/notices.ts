import type { BillingNotice } from '@loci/contract/billing'
import { z } from 'zod'
import { dayMs } from '../../lib/time.ts'
import type { StoredSubscription } from './subscriptions.repo.ts'

/** How long a plan goes on after its period while Stripe cannot be asked whether it was renewed. */
export const graceMs = 7 * dayMs

const StoredNotices = z.array(z.object({ code: z.string(), message: z.string() }))

/** `August 3, 2026`, UTC. */
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
export const formatDay = (moment: number) => `${dayFormat.format(moment)} (UTC)`

/** Notices as they are stored. */
export function parseNotices(text: string): BillingNotice[] {
  return StoredNotices.catch([]).parse(JSON.parse(text))
}

/** Each account is read once an hour. */
const silentMaxMs = dayMs

/**
 * What the owner is told of a subscription at Stripe that this server cannot ask about, be it that Stripe is out of reach
 * or that the server is not set up for it. Undefined while all is well.
 */
export function outOfTouchNotice(
  { subscriptionId, nextStepAt, syncedAt }: StoredSubscription,
  { atStripe, now }: { atStripe: boolean; now: number },
): BillingNotice | undefined {
  if (subscriptionId === null) return undefined
  const isSilent = syncedAt !== null && syncedAt < now - silentMaxMs
  if (atStripe && !isSilent) return undefined
  const why = atStripe ? 'cannot be reached for it at the moment' : 'is not set up on this server'
  const plan =
    nextStepAt === null ? 'Its plan has ended here.' : `The plan stays until ${formatDay(nextStepAt)}.`
  return { code: 'out_of_touch', message: `This account pays through Stripe, which ${why}. ${plan}` }
}
