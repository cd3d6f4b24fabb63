import { plans } from '@loci/contract/plans'
import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { getPlan } from '../../tenancy/usage/usage.repo.ts'
import { operatorOf } from '../audit/record-audit.ts'
import { inBillingTime } from './billing-time.ts'
import { cancelPlan, isRunning } from './sandbox/plans.ts'
import { setPlan } from './set-plan.ts'
import { inAccount } from './settle.ts'
import { getSubscriptionRow } from './subscriptions.repo.ts'

/**
 * Assigns an account a plan free of charge and ends its sandbox subscription. Throws `plan_not_found`;
 * `billing_conflict` while somebody pays through Stripe.
 */
export async function givePlan(ctx: Context, accountId: number, planId: string): Promise<void> {
  if (!plans.some((plan) => plan.id === planId)) {
    const known = plans.map((plan) => plan.id).join(', ')
    throw new AppError('plan_not_found', `There is no plan "${planId}". The plans are ${known}.`)
  }
  const { subscriptionId } = await getSubscriptionRow(ctx.db, accountId)
  if (subscriptionId !== null) {
    const message = 'The account pays for a plan through Stripe. Let that subscription be cancelled first.'
    throw new AppError('billing_conflict', message)
  }
  await inAccount(await inBillingTime(ctx), accountId, async (inner, subscription) =>
    isRunning(subscription) ? cancelPlan(inner, subscription, true) : subscription,
  )
  await transact(ctx, async (inner) => {
    await lockAccount(inner.db, accountId)
    const from = await getPlan(inner.db, accountId)
    await setPlan(inner, accountId, { from, to: planId }, operatorOf(accountId))
  })
}
