import { freePlanId } from '@loci/contract/plans'
import type { Insertable, Selectable } from 'kysely'
import { sha256 } from '../../ground/lib/secrets.ts'
import { countFound } from '../../store/count-found.ts'
import type { Db } from '../../store/db.ts'
import { type CamelRow, toCamelRow, toSnakeRow } from '../../store/row-names.ts'
import type { SubscriptionsTable } from '../../store/schema.ts'
import { findCredential, insertCredential } from '../../tenancy/auth/credentials.repo.ts'

/** An upgrade whose payment the bank wants confirmed, times in milliseconds. */
export type PendingUpgrade = {
  plan: string
  invoiceId: string
  expiresAt: number
  /** The time up to which the old plan is charged; Stripe keeps that itself. */
  at?: number
}

/** The subscription of an account, times in milliseconds; empty if the account never paid. */
export type StoredSubscription = Omit<SubscriptionFields, 'cancelAtPeriodEnd' | 'pendingUpgrade'> & {
  cancelAtPeriodEnd: boolean
  pendingUpgrade: PendingUpgrade | null
}

type SubscriptionFields = CamelRow<
  Omit<Selectable<SubscriptionsTable>, 'syncs_begun' | 'syncs_ended' | 'sync_due_at' | 'sync_tries'>
>

/** The end of the last paid plan, for an account that never had one. */
export const neverEnded = { endedPlan: null, endedAt: null, endReason: null } as const

/** The fields of a subscription that has ended. */
export const ended = {
  plan: freePlanId,
  status: 'active',
  anchor: null,
  periodStart: null,
  periodEnd: null,
  cancelAtPeriodEnd: false,
  pendingPlan: null,
  pendingUpgrade: null,
  failedPayments: 0,
  nextStepAt: null,
  subscriptionId: null,
  nextTryAt: null,
} as const

const neverSynced = { notices: '[]', syncedAt: null } as const

export async function getSubscriptionRow(db: Db, accountId: number): Promise<StoredSubscription> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (row !== undefined) return toSubscription(row)
  const never = { ...ended, ...neverEnded, ...neverSynced }
  return { accountId, ...never, trialEnd: null, invoicesMade: 0, credit: 0, customerId: null }
}

/** Writes the whole subscription. */
export async function saveSubscription(db: Db, subscription: StoredSubscription): Promise<void> {
  const row = toRow(subscription)
  // A cluster refuses an update that names the column it distributes by.
  const { account_id, ...fields } = row
  await db
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(fields))
    .execute()
}

/** The plan that all limits are checked against, in every process from the next request on. */
export async function setAccountPlan(db: Db, accountId: number, plan: string): Promise<void> {
  await db.updateTable('accounts').set({ plan }).where('account_id', '=', accountId).execute()
}

/** The account's id for callers and at Stripe. */
export async function getPublicId(db: Db, accountId: number): Promise<string> {
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return id
}

/** Accounts whose next step is due by then, earliest first. */
export async function listDueAccounts(
  db: Db,
  by: number,
  limit: number,
): Promise<{ accountId: number; dueAt: number }[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['account_id as accountId', 'next_step_at as dueAt'])
    .where('next_step_at', '<=', by)
    .orderBy('next_step_at')
    .limit(limit)
    .execute()
  return rows.map(({ accountId, dueAt }) => ({ accountId, dueAt: dueAt! }))
}

/** Stores the customer at Stripe unless there is one already; returns the stored one. */
export async function keepCustomer(db: Db, accountId: number, customerId: string): Promise<string> {
  const subscription = await getSubscriptionRow(db, accountId)
  if (subscription.customerId !== null) return subscription.customerId
  const row = toRow({ ...subscription, customerId })
  await db
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ customer_id: customerId }))
    .execute()
  const credential = { hash: sha256(customerId), accountId, subject: customerId, expiresAt: null }
  await insertCredential(db, { ...credential, kind: 'customer' })
  return customerId
}

/** How many syncs with Stripe the account has begun. */
export async function countSyncs(db: Db, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('subscriptions')
    .select('syncs_begun')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.syncs_begun ?? 0
}

/** Numbers a sync with Stripe. The account has a row by then, since it has a customer. */
export async function beginSync(db: Db, accountId: number): Promise<number> {
  const row = await db
    .updateTable('subscriptions')
    .set((eb) => ({ syncs_begun: eb('syncs_begun', '+', 1) }))
    .where('account_id', '=', accountId)
    .returning('syncs_begun')
    .executeTakeFirstOrThrow()
  return row.syncs_begun
}

/** Returns false if a later sync has been stored already. */
export async function endSync(db: Db, accountId: number, sync: number): Promise<boolean> {
  const result = await db
    .updateTable('subscriptions')
    .set({ syncs_ended: sync })
    .where('account_id', '=', accountId)
    .where('syncs_ended', '<', sync)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** This look-up discovers the account. */
export async function findAccountByCustomer(db: Db, customerId: string): Promise<number | undefined> {
  const credential = await findCredential(db, sha256(customerId))
  return credential?.kind === 'customer' ? credential.accountId : undefined
}

/** Trials that will be charged and end in `(after.trialEnd, until]`, the first to end first. */
export async function listEndingTrials(
  db: Db,
  after: { trialEnd: number; accountId: number },
  until: number,
  limit: number,
): Promise<{ accountId: number; trialEnd: number }[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['account_id as accountId', 'trial_end as trialEnd'])
    .where((eb) => eb(eb.refTuple('trial_end', 'account_id'), '>', eb.tuple(after.trialEnd, after.accountId)))
    .where('trial_end', '<=', until)
    .where('status', '=', 'trialing')
    .where('cancel_at_period_end', '=', 0)
    .orderBy('trial_end')
    .orderBy('account_id')
    .limit(limit)
    .execute()
  return rows.map(({ accountId, trialEnd }) => ({ accountId, trialEnd: trialEnd! }))
}

/** Accounts with a customer at Stripe, after the account `after`. */
export async function listCustomers(
  db: Db,
  after: number,
  limit: number,
): Promise<{ accountId: number; customerId: string }[]> {
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

/** Accounts that have or had a sandbox plan and are not known to Stripe, after the account `after`. */
export async function listSandboxAccounts(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('account_id', '>', after)
    .where('customer_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb('period_end', 'is not', null),
        eb('trial_end', 'is not', null),
        eb('invoices_made', '>', 0),
        eb('credit', '<>', 0),
      ]),
    )
    .orderBy('account_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.account_id)
}

/** How many accounts have a plan of the other gateway: a Stripe plan in the sandbox, a sandbox plan at Stripe. */
export async function countForeignPlans(db: Db, billing: 'off' | 'sandbox' | 'stripe'): Promise<number> {
  return countFound(
    db
      .selectFrom('subscriptions')
      .where('period_end', 'is not', null)
      .where('subscription_id', billing === 'stripe' ? 'is' : 'is not', null),
  )
}

function toSubscription({
  syncs_begun,
  syncs_ended,
  sync_due_at,
  sync_tries,
  ...row
}: Selectable<SubscriptionsTable>): StoredSubscription {
  return {
    ...toCamelRow(row),
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    pendingUpgrade: row.pending_upgrade === null ? null : JSON.parse(row.pending_upgrade),
  }
}

function toRow({ syncedAt, ...subscription }: StoredSubscription): Insertable<SubscriptionsTable> {
  const { cancelAtPeriodEnd, pendingUpgrade } = subscription
  return {
    ...toSnakeRow(subscription),
    cancel_at_period_end: cancelAtPeriodEnd ? 1 : 0,
    pending_upgrade: pendingUpgrade === null ? null : JSON.stringify(pendingUpgrade),
  }
}
