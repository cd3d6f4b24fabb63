import type { Dialect } from '../dialect.ts'

/** When the books of an account were last compared with its gateway, and what differed. */
export const ledgerChecks = {
  name: '050-ledger-checks',
  statements: ({ sql: { integer, text, strict } }: Dialect): readonly string[] => [
    `create table ledger_checks (
      account_id ${integer} primary key, checked_at ${integer} not null, differences ${text} not null,
      differing ${integer} not null
    )${strict}`,
    `create index ledger_checks_by_time on ledger_checks (checked_at)`,
    `create index ledger_checks_by_difference on ledger_checks (differing) where differing > 0`,
  ],
}
