import type { Selectable } from 'kysely'
import { allPages } from '../../ground/lib/all-pages.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import type { Db } from '../../store/db.ts'
import { type CamelRow, toCamelRow, toSnakeRow } from '../../store/row-names.ts'
import type { InvoicesTable } from '../../store/schema.ts'
import { findCredential, insertCredential } from '../../tenancy/auth/credentials.repo.ts'
import type { InvoiceLine } from './billing.rules.ts'
import type { InvoiceParties } from './invoice-parties.ts'

/** Amounts are in the currency's minor unit. */
export type StoredInvoice = Omit<CamelRow<Selectable<InvoicesTable>>, 'accountId' | 'lines' | 'parties'> & {
  lines: InvoiceLine[]
  /** Undefined for invoices that the gateway prints, and for our earliest ones. */
  parties: InvoiceParties | undefined
}

export const invoicesListedMax = 100

/** Newest first. */
export async function listInvoiceRows(db: Db, accountId: number): Promise<StoredInvoice[]> {
  const rows = await db
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(invoicesListedMax)
    .execute()
  return rows.map(toInvoice)
}

/** The newest invoice if it is still unpaid. */
export async function findOpenInvoice(db: Db, accountId: number): Promise<StoredInvoice | undefined> {
  const [newest] = await listInvoiceRows(db, accountId)
  return newest?.status === 'open' ? newest : undefined
}

/** This look-up discovers the account: anyone with the address can see the invoice. */
export async function findInvoiceByUrl(
  db: Db,
  hostedUrl: string,
): Promise<(StoredInvoice & { accountId: number }) | undefined> {
  const credential = await findCredential(db, sha256(hostedUrl))
  if (credential?.kind !== 'invoice') return undefined
  const row = await db
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', credential.accountId)
    .where('id', '=', credential.subject)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...toInvoice(row), accountId: row.account_id }
}

/** Inserts or updates an invoice. The address of one of ours grants access to it. */
export async function saveInvoice(db: Db, accountId: number, invoice: StoredInvoice): Promise<void> {
  const fields = {
    ...toSnakeRow(invoice),
    lines: JSON.stringify(invoice.lines),
    parties: invoice.parties === undefined ? null : JSON.stringify(invoice.parties),
  }
  await db
    .insertInto('invoices')
    .values({ account_id: accountId, ...fields })
    // A cluster refuses an update that names the column it distributes by.
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet(fields))
    .execute()
  if (invoice.hostedUrl?.startsWith('/')) {
    const credential = { hash: sha256(invoice.hostedUrl), accountId, subject: invoice.id, expiresAt: null }
    await insertCredential(db, { ...credential, kind: 'invoice' })
  }
}

const numbersPerPage = 1_000

/** The numbers of an account's invoices by their ids. */
export async function listNumbers(db: Db, accountId: number): Promise<Map<string, string>> {
  const numbers = new Map<string, string>()
  const list = (last = { id: '' }) =>
    db
      .selectFrom('invoices')
      .select(['id', 'number'])
      .where('account_id', '=', accountId)
      .where('id', '>', last.id)
      .orderBy('id')
      .limit(numbersPerPage)
      .execute()
  for await (const rows of allPages(numbersPerPage, list))
    for (const { id, number } of rows) numbers.set(id, number)
  return numbers
}

/** Deletes the invoices whose pages are our own, below `path`. Their addresses stop working. */
export async function deleteInvoicesOfSandbox(db: Db, accountId: number, path: string): Promise<void> {
  await db
    .deleteFrom('invoices')
    .where('account_id', '=', accountId)
    .where('hosted_url', 'like', `${path}%`)
    .execute()
}

function toInvoice({ account_id, ...row }: Selectable<InvoicesTable>): StoredInvoice {
  return {
    ...toCamelRow(row),
    lines: JSON.parse(row.lines),
    parties: row.parties === null ? undefined : JSON.parse(row.parties),
  }
}
