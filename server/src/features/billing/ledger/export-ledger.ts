import { toDecimal } from '@loci/contract/money'
import { toCsvLine } from '../../../ground/lib/csv.ts'
import { toIso } from '../../../ground/lib/time.ts'
import { findOwnerEmail } from '../../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import { listNumbers } from '../invoices.repo.ts'
import { getPublicId } from '../subscriptions.repo.ts'
import { accountsWithBooks } from './check-ledger.ts'
import { eachEntry } from './ledger.repo.ts'
import type { StoredEntry } from './ledger.rules.ts'

type Line = StoredEntry & { account: string; owner: string; number: string }

const columns = {
  time: ({ at }) => toIso(at),
  account: ({ account }) => account,
  owner: ({ owner }) => owner,
  invoice: ({ number }) => number,
  kind: ({ kind }) => kind,
  debit: ({ debit }) => debit,
  credit: ({ credit }) => credit,
  amount: ({ amount, currency }) => toDecimal(amount, currency),
  currency: ({ currency }) => currency.toUpperCase(),
  source: ({ source }) => source,
  id: ({ id }) => id,
} satisfies Record<string, (line: Line) => string>

/** A span of time, milliseconds; `before` is exclusive. */
export type ExportSpan = { after: number; before: number }

/** The books of all accounts as CSV, account by account and oldest first, in bounded memory. */
export async function* exportLedger(ctx: Context, span: ExportSpan): AsyncGenerator<string, void> {
  yield toCsvLine(Object.keys(columns))
  for await (const accountId of accountsWithBooks(ctx)) yield* linesOf(ctx, accountId, span)
}

async function* linesOf(ctx: Context, accountId: number, span: ExportSpan): AsyncGenerator<string, void> {
  const { db } = ctx
  const account = await getPublicId(db, accountId)
  const owner = (await findOwnerEmail(db, accountId)) ?? ''
  const numbers = await listNumbers(db, accountId)
  for await (const entry of eachEntry(db, accountId, span)) {
    const number = numbers.get(entry.invoiceId ?? '') ?? ''
    const line = { ...entry, account, owner, number }
    yield toCsvLine(Object.values(columns).map((cell) => cell(line)))
  }
}
