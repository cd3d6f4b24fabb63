import type { BillingNotice } from '@loci/contract/billing'
import { allPages } from '../../../ground/lib/all-pages.ts'
import { transact } from '../../../store/transact.ts'
import { lockAccount } from '../../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import { formatDay } from '../billing-notices.ts'
import { deleteInvoicesOfSandbox } from '../invoices.repo.ts'
import { deleteEntries } from '../ledger/ledger.repo.ts'
import { deleteCheck } from '../ledger/ledger-checks.repo.ts'
import { replaceCards } from '../payment-methods.repo.ts'
import { setPlan } from '../set-plan.ts'
import {
  ended,
  getPublicId,
  getSubscriptionRow,
  listSandboxAccounts,
  type StoredSubscription,
  saveSubscription,
} from '../subscriptions.repo.ts'
import { invoicesPath } from './invoicing.ts'

const accountsPerRound = 100

export type EndedSandbox = { account: string; plan: string; endsAt: number | null }

/**
 * For a server that moves to Stripe: sandbox plans run to the end of their period and are not renewed, test cards, test
 * invoices and test credit are deleted, and each account can have a trial at Stripe. A `dryRun` changes nothing.
 */
export async function endSandbox(
  ctx: Context,
  { dryRun = false }: { dryRun?: boolean },
): Promise<EndedSandbox[]> {
  const result: EndedSandbox[] = []
  const list = (last = 0) => listSandboxAccounts(ctx.db, last, accountsPerRound)
  for await (const accounts of allPages(accountsPerRound, list)) {
    for (const accountId of accounts) {
      const before = await getSubscriptionRow(ctx.db, accountId)
      const endsAt = before.status === 'past_due' ? null : before.periodEnd
      if (!dryRun) await transact(ctx, (inner) => endInAccount(inner, accountId))
      result.push({ account: await getPublicId(ctx.db, accountId), plan: before.plan, endsAt })
    }
  }
  return result
}

async function endInAccount(ctx: Context, accountId: number): Promise<void> {
  const { db, now } = ctx
  await lockAccount(db, accountId)
  const before = await getSubscriptionRow(db, accountId)
  if (before.subscriptionId !== null || before.customerId !== null) return
  await replaceCards(db, accountId, [])
  await deleteEntries(db, accountId)
  await deleteCheck(db, accountId)
  await deleteInvoicesOfSandbox(db, accountId, `${invoicesPath}/`)
  const after = endOf(before, now())
  await saveSubscription(db, { ...after, trialEnd: null, credit: 0, notices: noticeOf(after) })
  if (after.plan !== before.plan) await setPlan(ctx, accountId, { from: before.plan, to: after.plan })
}

/** A period that was never paid ends immediately. */
function endOf(before: StoredSubscription, now: number): StoredSubscription {
  if (before.periodEnd === null) return before
  if (before.status === 'past_due') {
    return { ...before, ...ended, endedPlan: before.plan, endedAt: now, endReason: 'payment_failed' }
  }
  return {
    ...before,
    cancelAtPeriodEnd: true,
    pendingPlan: null,
    pendingUpgrade: null,
    nextStepAt: before.periodEnd,
  }
}

function noticeOf({ periodEnd }: StoredSubscription): string {
  if (periodEnd === null) return '[]'
  const notice: BillingNotice = {
    code: 'sandbox_ended',
    message: `This server now charges through Stripe. Your test plan runs until ${formatDay(periodEnd)}; choose a plan to go on.`,
  }
  return JSON.stringify([notice])
}
