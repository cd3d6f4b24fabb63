import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Consecutive accounts, which one statement checks at once. */
export type Accounts = { first: number; last: number }

/** One account. */
export const only = (accountId: number): Accounts => ({ first: accountId, last: accountId })

/** What a statement checks: all spaces of some accounts, or one space. */
export type CheckedPart = Accounts | Scope

/** A condition that the rows of a table, by its alias, belong to the part. */
type Within = (alias: string) => RawBuilder<unknown>

export const withinAccounts =
  ({ first, last }: Accounts): Within =>
  (alias) =>
    sql`${sql.ref(`${alias}.account_id`)} between ${first} and ${last}`

/** A condition that two rows, by their aliases, are of the same space. */
export const inSameSpace = (one: string, other: string) =>
  sql`${sql.ref(`${one}.account_id`)} = ${sql.ref(`${other}.account_id`)}
    and ${sql.ref(`${one}.space_id`)} = ${sql.ref(`${other}.space_id`)}`

/** A statement that looks for differences in a part. It is prepared twice, so that both find their rows by an index. */
export function ofPart<Output>(build: (within: Within, db: Db) => RawBuilder<unknown>) {
  const ofAccounts = prepared((db: Db, accounts: Accounts) =>
    statement<Output>(db, build(withinAccounts(accounts), db)),
  )
  const ofSpace = prepared((db: Db, { accountId, spaceId }: Scope) =>
    statement<Output>(
      db,
      build(
        (alias) =>
          sql`${sql.ref(`${alias}.account_id`)} = ${accountId} and ${sql.ref(`${alias}.space_id`)} = ${spaceId}`,
        db,
      ),
    ),
  )
  return (db: Db, part: CheckedPart): Promise<Output[]> =>
    'first' in part ? ofAccounts(db, part) : ofSpace(db, part)
}
