import { freePlanId } from '@loci/contract/plans'
import { minuteMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { keepBooks } from './sandbox/keep-books.ts'
import { lapseUpgrade } from './sandbox/pending-upgrade.ts'
import { takeStep } from './sandbox/subscription-steps.ts'
import { setPlan } from './set-plan.ts'
import {
  ended,
  getSubscriptionRow,
  listDueAccounts,
  type StoredSubscription,
  saveSubscription,
} from './subscriptions.repo.ts'
import { tellOwner } from './tell-owner.ts'

const accountsPerRound = 1_000
export const settleEveryMs = minuteMs
/** Steps are stored days ahead, so that looking for them, which asks all nodes of a cluster, can be rare. */
const lookAheadMs = 10 * minuteMs

/**
 * Runs `work` on the current subscription of an account, in one transaction under the account's lock, after all due
 * steps. Stores what `work` returns.
 */
export async function inAccount(
  ctx: Context,
  accountId: number,
  work: (inner: Context, subscription: StoredSubscription) => Promise<StoredSubscription>,
): Promise<void> {
  await transact(ctx, async (inner) => {
    await lockAccount(inner.db, accountId)
    await tellOwner(inner, accountId, async () => {
      const before = await getSubscriptionRow(inner.db, accountId)
      const worked = await work(inner, await takeDueSteps(inner, before))
      if (worked === before) return
      const after = worked.customerId === null ? await keepBooks(inner, worked) : worked
      await saveSubscription(inner.db, after)
      // An account without a subscription keeps an assigned plan, such as one that is no longer sold.
      if (after.plan !== before.plan) await setPlan(inner, accountId, { from: before.plan, to: after.plan })
    })
  })
}

/** After long downtime several periods can be due in succession. */
async function takeDueSteps(ctx: Context, subscription: StoredSubscription): Promise<StoredSubscription> {
  let current = subscription
  while (current.nextStepAt !== null && current.nextStepAt <= ctx.now()) {
    current = await takeDueStep(ctx, current, current.nextStepAt)
  }
  return current
}

/**
 * Where Stripe renews, a step is due only if Stripe has been silent since the period ended: the plan then ends until
 * Stripe is heard from. After a server moves to Stripe, sandbox plans end with their period.
 */
async function takeDueStep(ctx: Context, due: StoredSubscription, at: number): Promise<StoredSubscription> {
  if (due.subscriptionId !== null) return { ...due, plan: freePlanId, nextStepAt: null }
  if (due.pendingUpgrade !== null) return lapseUpgrade(ctx, due)
  if (ctx.config.billing === 'stripe') {
    return { ...due, ...ended, endedPlan: due.plan, endedAt: at, endReason: 'cancelled' }
  }
  return takeStep(ctx, due, at)
}

/** Runs the steps due for one account. */
export async function settleAccount(ctx: Context, accountId: number): Promise<void> {
  const { nextStepAt } = await getSubscriptionRow(ctx.db, accountId)
  if (nextStepAt === null || nextStepAt > ctx.now()) return
  await inAccount(ctx, accountId, async (_, subscription) => subscription)
}

/**
 * Runs the due steps of up to 1,000 accounts. Safe to run in any number of processes: under the lock only one of them
 * finds each step. Returns in how many milliseconds to call it again.
 */
export async function settleAccounts(ctx: Context): Promise<number> {
  const now = ctx.now()
  const found = await listDueAccounts(ctx.db, now + lookAheadMs, accountsPerRound)
  const due = found.filter(({ dueAt }) => dueAt <= now)
  for (const { accountId } of due) {
    try {
      await settleAccount(ctx, accountId)
    } catch (error) {
      // A failing account must not delay the others.
      ctx.log.error({ err: error, accountId }, 'the period of an account could not be settled; trying again')
    }
  }
  if (due.length > 0) return settleEveryMs
  return Math.max(settleEveryMs, (found[0]?.dueAt ?? now + lookAheadMs) - now)
}
