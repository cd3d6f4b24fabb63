import { freePlanId } from '@loci/contract/plans'
import { lockAccount } from '../../../auth/accounts.repo.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { setPlan } from '../set-plan.ts'
import {
  ended,
  getSubscription,
  listDueAccounts,
  type StoredSubscription,
  saveSubscription,
} from '../subscriptions.repo.ts'
import { tellOwner } from '../tell-owner.ts'
import { takeStep } from './steps.ts'

const accountsPerRound = 1_000

/**
 * Runs `work` on the subscription of an account as it is now, alone: one transaction under the account's lock, in which
 * all that is due happens first. What `work` gives back is stored.
 */
export async function inAccount(
  ctx: Context,
  accountId: number,
  work: (inner: Context, subscription: StoredSubscription) => Promise<StoredSubscription>,
): Promise<void> {
  await transact(ctx, async (inner) => {
    await lockAccount(inner.db, accountId)
    await tellOwner(inner, accountId, async () => {
      const before = await getSubscription(inner.db, accountId)
      const after = await work(inner, await takeDueSteps(inner, before))
      if (after === before) return
      await saveSubscription(inner.db, after)
      // An account without a subscription keeps a plan that it was given, such as one that is no longer sold.
      if (after.plan !== before.plan) await setPlan(inner, accountId, { from: before.plan, to: after.plan })
    })
  })
}

/** After a long standstill several periods are due, one after the other. */
async function takeDueSteps(ctx: Context, subscription: StoredSubscription): Promise<StoredSubscription> {
  let current = subscription
  while (current.nextStepAt !== null && current.nextStepAt <= ctx.now()) {
    current = await takeDueStep(ctx, current, current.nextStepAt)
  }
  return current
}

/**
 * Where Stripe renews, a step falls due only when Stripe has not been heard of since the period ended: then the plan ends
 * until it is. Plans of the sandbox end with their period on a server that has moved to Stripe.
 */
async function takeDueStep(ctx: Context, due: StoredSubscription, at: number): Promise<StoredSubscription> {
  if (due.subscriptionId !== null) return { ...due, plan: freePlanId, nextStepAt: null }
  if (ctx.config.billing === 'stripe') {
    return { ...due, ...ended, endedPlan: due.plan, endedAt: at, endReason: 'cancelled' }
  }
  return takeStep(ctx, due, at)
}

/** Takes the steps that are due for one account. */
export async function settleAccount(ctx: Context, accountId: number): Promise<void> {
  const { nextStepAt } = await getSubscription(ctx.db, accountId)
  if (nextStepAt === null || nextStepAt > ctx.now()) return
  await inAccount(ctx, accountId, async (_, subscription) => subscription)
}

/**
 * Takes the steps that are due, of up to 1,000 accounts. Any number of processes may do this at once: the lock lets one
 * of them find each step.
 */
export async function settleAccounts(ctx: Context): Promise<void> {
  for (const accountId of await listDueAccounts(ctx.db, ctx.now(), accountsPerRound)) {
    try {
      await settleAccount(ctx, accountId)
    } catch (error) {
      // One account in trouble must not keep the others waiting.
      ctx.log.error({ err: error, accountId }, 'the period of an account could not be settled; trying again')
    }
  }
}
