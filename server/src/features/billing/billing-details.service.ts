import type { BillingDetails, BillingDetailsResponse } from '@loci/contract/billing'
import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import * as repo from './billing-details.repo.ts'
import { findGateway, gatewayOf } from './gateway-of.ts'

/**
 * Billing details. Where Stripe charges, Stripe keeps them: checkout asks for them, and the customer portal changes
 * them.
 */
export async function getBillingDetails(ctx: Context, actor: Actor): Promise<BillingDetailsResponse> {
  const editable = findGateway(ctx)?.name === 'sandbox'
  return { ...(await repo.getBillingDetailsRow(ctx.db, actor.accountId)), editable }
}

/** Throws `billing_conflict` if Stripe keeps them. */
export async function updateBillingDetails(
  ctx: Context,
  actor: Actor,
  details: BillingDetails,
): Promise<BillingDetailsResponse> {
  if (gatewayOf(ctx).name === 'stripe') {
    throw new AppError(
      'billing_conflict',
      'Billing details are kept at Stripe. Change them in its customer portal.',
    )
  }
  const { accountId } = actor
  await transact(ctx, accountId, async (inner) => {
    await repo.saveBillingDetails(inner.db, accountId, details)
    await recordAudit(inner, actor, { action: 'billing_details_changed' })
  })
  return getBillingDetails(ctx, actor)
}

/** The address of the customer portal, which links back to `returnUrl`. Throws `billing_conflict` in test mode. */
export async function openBillingPortal(ctx: Context, actor: Actor, returnUrl: string): Promise<string> {
  return gatewayOf(ctx).openPortal(ctx, actor.accountId, returnUrl)
}
