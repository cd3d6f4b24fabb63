import { expect } from 'vitest'
import { exportLedger } from '../src/features/billing/ledger/export-ledger.ts'
import { findCheck } from '../src/features/billing/ledger/ledger-checks.repo.ts'
import { readCsv } from '../src/ground/lib/read-csv.ts'
import { scopeOf } from './accounts.ts'
import type { Person, TestServer } from './harness.ts'

/** What the accounts of the books hold: debits less credits, as `cash`, or `cash eur` in another currency than USD. */
export type Books = Record<string, number>

type Column = 'time' | 'account' | 'invoice' | 'kind' | 'debit' | 'credit' | 'amount' | 'currency' | 'source'
export type LedgerLine = Record<Column, string>

const always = { after: 0, before: Number.MAX_SAFE_INTEGER }

/** The lines of a person's account in the bookkeeper's export. */
export async function readLines(server: TestServer, { accountId }: Person): Promise<LedgerLine[]> {
  const rows: string[][] = []
  for await (const row of readCsv(exportLedger(server.ctx, always), 10_000)) rows.push(row)
  const [head = [], ...rest] = rows
  const lines = rest.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])) as LedgerLine)
  return lines.filter(({ account }) => account === accountId)
}

/** What the books of a person's account hold, which must agree with the gateway. */
export async function readBooks(server: TestServer, person: Person): Promise<Books> {
  const scope = await scopeOf(server, person)
  const check = await findCheck(server.ctx.db, scope.accountId)
  expect(check?.differences ?? []).toEqual([])
  const books: Books = {}
  for (const { debit, credit, amount, currency } of await readLines(server, person)) {
    const name = (account: string) => (currency === 'USD' ? account : `${account} ${currency.toLowerCase()}`)
    const units = Number(amount.replace('.', ''))
    books[name(debit)] = (books[name(debit)] ?? 0) + units
    books[name(credit)] = (books[name(credit)] ?? 0) - units
  }
  return Object.fromEntries(Object.entries(books).filter(([, held]) => held !== 0))
}
