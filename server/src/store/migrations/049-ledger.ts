import type { Dialect } from '../dialect.ts'

/** Every movement of money as a row that is debited to one account of the books and credited to another. */
export const ledger = {
  name: '049-ledger',
  statements: ({ sql: { integer, text, clustered } }: Dialect): readonly string[] => [
    `create table ledger_entries (
      account_id ${integer} not null, id ${text} not null, at ${integer} not null, kind ${text} not null,
      debit ${text} not null, credit ${text} not null, amount ${integer} not null, currency ${text} not null,
      invoice_id ${text}, source ${text} not null,
      primary key (account_id, id)
    )${clustered}`,
    `create index ledger_entries_by_time on ledger_entries (account_id, at, id)`,
    `create index ledger_entries_by_invoice on ledger_entries (account_id, invoice_id)`,
    `alter table invoices add column currency ${text} not null default 'usd'`,
  ],
}
