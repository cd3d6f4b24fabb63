import { allPages } from '../../../ground/lib/all-pages.ts'
import { dayMs, hourMs, secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { findGateway } from '../gateway-of.ts'
import { checkBooks } from '../sandbox/check-books.ts'
import { syncAccount } from '../stripe/sync.ts'
import { getPublicId, getSubscriptionRow } from '../subscriptions.repo.ts'
import {
  countDiffering,
  findCheck,
  findOldestCheck,
  listChecked,
  listUnchecked,
} from './ledger-checks.repo.ts'

const checkEveryMs = dayMs
/** Stripe is read once an hour; after this something keeps the books from being compared. */
const overdueMs = 2 * dayMs
const accountsPerRound = 100

export type CheckedBooks = { account: string; differences: string[] }

/** Compares the books of every account with its gateway now; at Stripe, they are brought up to date first. */
export async function* checkLedger(ctx: Context): AsyncGenerator<CheckedBooks, void> {
  for await (const accountId of accountsWithBooks(ctx))
    yield { account: await getPublicId(ctx.db, accountId), differences: await checkNow(ctx, accountId) }
}

/** The accounts that have books, in the order of their numbers. */
export async function* accountsWithBooks({ db }: Context): AsyncGenerator<number, void> {
  const list = (last = 0) => listChecked(db, last, accountsPerRound)
  for await (const page of allPages(accountsPerRound, list)) yield* page
}

async function checkNow(ctx: Context, accountId: number): Promise<string[]> {
  const { customerId } = await getSubscriptionRow(ctx.db, accountId)
  if (customerId === null) return (await checkBooks(ctx, accountId)).differences
  if (findGateway(ctx)?.name === 'stripe') await syncAccount(ctx, accountId, customerId)
  return (await findCheck(ctx.db, accountId))?.differences ?? []
}

/** Compares the books of the sandbox that were not compared for a day. Those of Stripe are, by each sync. */
export async function checkDueBooks(ctx: Context): Promise<void> {
  const due = await listUnchecked(ctx.db, ctx.now() - checkEveryMs, accountsPerRound)
  for (const accountId of due) {
    const { customerId } = await getSubscriptionRow(ctx.db, accountId)
    if (customerId === null) await checkBooks(ctx, accountId)
  }
}

export const checkDueEveryMs = hourMs

/** What is wrong with the books, in words for the operator; undefined if nothing is. */
export async function describeLedger({
  db,
  now,
}: Context): Promise<{ differing: number; overdueSince: number | undefined }> {
  const oldest = await findOldestCheck(db)
  const isOverdue = oldest !== undefined && oldest < now() - overdueMs
  return { differing: await countDiffering(db), overdueSince: isOverdue ? oldest : undefined }
}

/** How many accounts' books differ from what their gateway says. */
export const differingBooks = ({ db }: Pick<Context, 'db'>): Promise<number> => countDiffering(db)

/** When the books that were compared the longest ago were, in seconds since 1970; 0 without any. */
export async function oldestCheckSeconds({ db }: Pick<Context, 'db'>): Promise<number> {
  return Math.floor(((await findOldestCheck(db)) ?? 0) / secondMs)
}
