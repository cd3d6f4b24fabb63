import type { Selectable } from 'kysely'
import { allPages } from '../../../ground/lib/all-pages.ts'
import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import { toCamelRow, toSnakeRow } from '../../../store/row-names.ts'
import type { LedgerAccount, LedgerEntriesTable, LedgerKind } from '../../../store/schema.ts'
import type { StoredEntry } from './ledger.rules.ts'

const entriesPerPage = 1_000
const always = { after: 0, before: Number.MAX_SAFE_INTEGER }

/** All entries of an account, oldest first. */
export async function listAllEntries(db: Db, accountId: number): Promise<StoredEntry[]> {
  const entries: StoredEntry[] = []
  for await (const entry of eachEntry(db, accountId)) entries.push(entry)
  return entries
}

/** The same, a page at a time. */
export async function* eachEntry(
  db: Db,
  accountId: number,
  { after, before }: { after: number; before: number } = always,
): AsyncGenerator<StoredEntry> {
  const list = (last = { at: after, id: '' }) => listEntries(db, accountId, { last, before })
  for await (const page of allPages(entriesPerPage, list)) yield* page
}

/** A page of an account's entries, oldest first. */
async function listEntries(
  db: Db,
  accountId: number,
  { last, before }: { last: Pick<StoredEntry, 'at' | 'id'>; before: number },
): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((eb) => eb(eb.refTuple('at', 'id'), '>', eb.tuple(last.at, last.id)))
    .where('at', '<', before)
    .orderBy('at')
    .orderBy('id')
    .limit(entriesPerPage)
    .execute()
  return rows.map(toEntry)
}

/** Adds entries; one with a known id is left as it is. */
export async function insertEntries(
  db: Db,
  accountId: number,
  entries: readonly StoredEntry[],
): Promise<void> {
  for (const entry of entries) {
    await db
      .insertInto('ledger_entries')
      .values({ account_id: accountId, ...toSnakeRow(entry) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Deletes the books of an account, with the test invoices that they are about. */
export async function deleteEntries(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('ledger_entries').where('account_id', '=', accountId).execute()
}

export type InvoiceSum = {
  invoiceId: string
  kind: LedgerKind
  debit: LedgerAccount
  amount: number
}

/** The sums of these kinds of entries for each of the invoices. */
export async function sumByInvoice(
  db: Db,
  accountId: number,
  invoiceIds: readonly string[],
  kinds: readonly LedgerKind[],
): Promise<InvoiceSum[]> {
  if (invoiceIds.length === 0) return []
  const dialect = dialectOf(db)
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['invoice_id', 'kind', 'debit'])
    .select(({ fn }) => fn.sum<number | string>('amount').as('amount'))
    .where('account_id', '=', accountId)
    .where(dialect.isOneOf('invoice_id', invoiceIds))
    .where('kind', 'in', kinds)
    .groupBy(['invoice_id', 'kind', 'debit'])
    .execute()
  return rows.map(({ invoice_id, kind, debit, amount }) => ({
    ...{ invoiceId: invoice_id ?? '', kind, debit },
    amount: Number(amount),
  }))
}

const toEntry = ({ account_id, ...row }: Selectable<LedgerEntriesTable>): StoredEntry => toCamelRow(row)
