import { hourMs, secondMs, toIso } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { findNewestEventAt } from './stripe-events.repo.ts'
import { countStartedPeriods } from './sync-queue.repo.ts'

/** Stripe repeats an event within the hour if we could not be reached. */
const silenceMs = 24 * hourMs

/**
 * Why Stripe's events seem not to arrive, in words for the operator: it tells of every period that begins, and none of
 * its events has come since one began a day ago or earlier. Undefined if nothing is wrong, or if
 * Stripe is not used.
 */
export async function describeMissingEvents({ config, db, now }: Context): Promise<string | undefined> {
  if (config.billing !== 'stripe') return undefined
  const newestAt = await findNewestEventAt(db)
  const missed = await countStartedPeriods(db, { after: newestAt ?? 0, until: now() - silenceMs })
  if (missed === 0) return undefined
  const since =
    newestAt === undefined
      ? 'Stripe has never sent an event'
      : `Stripe has sent no event since ${toIso(newestAt)}`
  return `${since}, although ${missed === 1 ? 'a subscription period has' : `${missed} subscription periods have`} begun. Check the webhook endpoint in Stripe's dashboard: its URL, its deliveries, and that STRIPE_WEBHOOK_SECRET is its secret.`
}

/** When Stripe's newest event was received, in seconds since 1970; 0 if none was. */
export async function newestEventSeconds({ db }: Pick<Context, 'db'>): Promise<number> {
  return Math.floor(((await findNewestEventAt(db)) ?? 0) / secondMs)
}
