import type { SubscriptionStatus } from '@loci/contract/billing'
import { freePlanId } from '@loci/contract/plans'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { SubscriptionsTable } from '../../db/schema.ts'

/** The subscription of an account, its moments in milliseconds; an account that never paid has an empty one. */
export type StoredSubscription = {
  accountId: string
  plan: string
  status: SubscriptionStatus
  anchor: number | null
  periodStart: number | null
  periodEnd: number | null
  trialEnd: number | null
  cancelAtPeriodEnd: boolean
  pendingPlan: string | null
  failedPayments: number
  nextStepAt: number | null
  invoicesMade: number
  customerId: string | null
  subscriptionId: string | null
}

/** What a subscription is once it has ended. */
export const ended = {
  plan: freePlanId,
  status: 'active',
  anchor: null,
  periodStart: null,
  periodEnd: null,
  cancelAtPeriodEnd: false,
  pendingPlan: null,
  failedPayments: 0,
  nextStepAt: null,
  subscriptionId: null,
} as const

export async function getSubscription(db: Db, accountId: string): Promise<StoredSubscription> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (row !== undefined) return toSubscription(row)
  return { accountId, ...ended, trialEnd: null, invoicesMade: 0, customerId: null }
}

/** Writes the whole subscription. */
export async function saveSubscription(db: Db, subscription: StoredSubscription): Promise<void> {
  const row = toRow(subscription)
  await db
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
}

/** What all limits are held against, in every process from the next request on. */
export async function setAccountPlan(db: Db, accountId: string, plan: string): Promise<void> {
  await db.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
}

/** The account's plan: a subscription's, or the one that it was given. */
export async function getAccountPlan(db: Db, accountId: string): Promise<string> {
  const { plan } = await db
    .selectFrom('accounts')
    .select('plan')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return plan
}

/** Accounts whose next step is due, the longest waiting first. */
export async function listDueAccounts(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('next_step_at', '<=', now)
    .orderBy('next_step_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

/** Keeps the customer at Stripe unless there is one already; answers the one that is kept. */
export async function keepCustomer(db: Db, accountId: string, customerId: string): Promise<string> {
  const subscription = await getSubscription(db, accountId)
  if (subscription.customerId !== null) return subscription.customerId
  const row = toRow({ ...subscription, customerId })
  await db
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ customer_id: customerId }))
    .execute()
  return customerId
}

/** How often Stripe was looked at for the account. */
export async function countSyncs(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('subscriptions')
    .select('syncs_begun')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.syncs_begun ?? 0
}

/** Numbers a look at Stripe. The account has a row by then, since it has a customer. */
export async function beginSync(db: Db, accountId: string): Promise<number> {
  const row = await db
    .updateTable('subscriptions')
    .set((eb) => ({ syncs_begun: eb('syncs_begun', '+', 1) }))
    .where('account_id', '=', accountId)
    .returning('syncs_begun')
    .executeTakeFirstOrThrow()
  return row.syncs_begun
}

/** False when a look that began later has been stored already. */
export async function endSync(db: Db, accountId: string, turn: number): Promise<boolean> {
  const result = await db
    .updateTable('subscriptions')
    .set({ syncs_ended: turn })
    .where('account_id', '=', accountId)
    .where('syncs_ended', '<', turn)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Where Stripe sends receipts. */
export async function findOwnerEmail(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.account_id', '=', accountId)
    .where('members.role', '=', 'owner')
    .orderBy('members.created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.email
}

/** This look-up discovers the account. */
export async function findAccountByCustomer(db: Db, customerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.account_id
}

/** Accounts with a customer at Stripe, after the id `after`. */
export async function listCustomers(
  db: Db,
  after: string,
  limit: number,
): Promise<{ accountId: string; customerId: string }[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['account_id', 'customer_id'])
    .where('account_id', '>', after)
    .where('customer_id', 'is not', null)
    .orderBy('account_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ accountId: row.account_id, customerId: row.customer_id ?? '' }))
}

function toSubscription(row: Selectable<SubscriptionsTable>): StoredSubscription {
  return {
    accountId: row.account_id,
    plan: row.plan,
    status: row.status,
    anchor: row.anchor,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    trialEnd: row.trial_end,
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    pendingPlan: row.pending_plan,
    failedPayments: row.failed_payments,
    nextStepAt: row.next_step_at,
    invoicesMade: row.invoices_made,
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
  }
}

function toRow(subscription: StoredSubscription): Insertable<SubscriptionsTable> {
  return {
    account_id: subscription.accountId,
    plan: subscription.plan,
    status: subscription.status,
    anchor: subscription.anchor,
    period_start: subscription.periodStart,
    period_end: subscription.periodEnd,
    trial_end: subscription.trialEnd,
    cancel_at_period_end: subscription.cancelAtPeriodEnd ? 1 : 0,
    pending_plan: subscription.pendingPlan,
    failed_payments: subscription.failedPayments,
    next_step_at: subscription.nextStepAt,
    invoices_made: subscription.invoicesMade,
    customer_id: subscription.customerId,
    subscription_id: subscription.subscriptionId,
  }
}
