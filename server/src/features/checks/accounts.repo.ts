import { sql } from 'kysely'
import { countedColumns } from '../../rows/codec.ts'
import type { VersionedTable } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Most differences reported of one kind. */
export const differencesMax = 20

/** An account's number and its public id. */
export type NamedAccount = { accountId: number; id: string }
export type CheckedSpace = Scope & { id: string; name: string }

/** Accounts after the number `after`, in order, except those being deleted. */
export async function listCheckedAccounts(db: Db, after: number, limit: number): Promise<NamedAccount[]> {
  return db
    .selectFrom('accounts')
    .select(['account_id as accountId', 'id'])
    .where('account_id', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

/** Spaces of an account after the number `after`, in order, except those being deleted. */
export async function listCheckedSpaces(
  db: Db,
  account: NamedAccount,
  after: number,
  limit: number,
): Promise<CheckedSpace[]> {
  const rows = await selectSpaces(db, { accountId: account.accountId, after, limit })
  return rows.map((row) => ({ ...account, ...row }))
}

const selectSpaces = prepared(
  (db: Db, { accountId, after, limit }: { accountId: number; after: number; limit: number }) =>
    db
      .selectFrom('spaces')
      .select(['space_id as spaceId', 'name'])
      .where('account_id', '=', accountId)
      .where('space_id', '>', after)
      .where('deleted_at', 'is', null)
      .orderBy('space_id')
      .limit(limit),
)

export type AccountTotals = { entities: number; bytes: number; conversationBytes: number }

/** An account's totals, as stored and as counted. */
export async function countAccount(
  db: Db,
  accountId: number,
): Promise<{ stored: AccountTotals; counted: AccountTotals }> {
  const [row] = await selectTotals(db, { accountId })
  const { storedEntities, storedBytes, storedConversations, ...counted } = row!
  const stored = { entities: storedEntities, bytes: storedBytes, conversationBytes: storedConversations }
  return { stored, counted }
}

type OfAccount = { accountId: number }

const selectTotals = prepared((db: Db, { accountId }: OfAccount) => {
  const bytesOf = (table: VersionedTable) => {
    const lengths = countedColumns[table].map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
    return sql`select cast(coalesce(sum(${sql.join(lengths, sql` + `)}), 0) as bigint) as bytes
      from ${sql.table(table)} where account_id = ${accountId}`
  }
  return statement<AccountTotals & Record<'storedEntities' | 'storedBytes' | 'storedConversations', number>>(
    db,
    sql`select
      (select count(*) from entities where account_id = ${accountId}) as entities,
      (select cast(sum(bytes) as bigint) from (
        ${bytesOf('entities')} union all ${bytesOf('observations')} union all ${bytesOf('relations')}
      ) as sizes) as bytes,
      ${conversationBytes(accountId)} as "conversationBytes", conversation_bytes as "storedConversations",
      entities as "storedEntities", bytes as "storedBytes" from accounts where account_id = ${accountId}`,
  )
})

/** What the turns of an account take. */
const conversationBytes = (accountId: number) => sql`(
  select cast(coalesce(sum(octet_length(text) + coalesce(octet_length(tool), 0) + coalesce(octet_length(files), 0)), 0) as bigint)
  from turns where account_id = ${accountId})`

const countedOperations = (accountId: number) =>
  sql`select substr(day, 1, 7) as month, cast(sum(requests) as bigint) as counted from operation_counts
    where account_id = ${accountId} group by substr(day, 1, 7)`

const countedDays = sql`(select count(*) from key_days
  where key_days.account_id = key_counts.account_id and key_days.key_id = key_counts.key_id)`

export type MonthDifference = { month: string; counted: number; stored: number }

/**
 * Months with fewer operations than were counted by day. Writes are counted in their own transaction and the statistics
 * about a second later, so a killed process leaves a month with more operations than its days.
 */
export const listMonthDifferences = prepared((db: Db, { accountId }: OfAccount) =>
  statement<MonthDifference>(
    db,
    sql`select days.month, days.counted, coalesce(month_counts.operations, 0) as stored
    from (${countedOperations(accountId)}) as days
    left join month_counts on month_counts.account_id = ${accountId} and month_counts.month = days.month
    where days.counted > coalesce(month_counts.operations, 0)
    order by days.month limit ${differencesMax}`,
  ),
)

export type KeyDifference = { keyId: string; counted: number; stored: number }

/** Keys whose number of active days differs from the days stored. */
export const listKeyDifferences = prepared((db: Db, { accountId }: OfAccount) =>
  statement<KeyDifference>(
    db,
    sql`select key_id as "keyId", active_days as stored, ${countedDays} as counted from key_counts
    where account_id = ${accountId} and active_days <> ${countedDays} order by key_id limit ${differencesMax}`,
  ),
)

/** Sets every account-wide counter to what the rows say. The caller holds the account's lock. */
export async function recountAccount(db: Db, accountId: number): Promise<void> {
  const { entities, bytes, conversationBytes } = (await countAccount(db, accountId)).counted
  await db
    .updateTable('accounts')
    .set({ entities, bytes, conversation_bytes: conversationBytes })
    .where('account_id', '=', accountId)
    .execute()
  for (const { month, counted } of await listMonthDifferences(db, { accountId })) {
    const row = { account_id: accountId, month, operations: counted }
    await db
      .insertInto('month_counts')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'month']).doUpdateSet({ operations: counted }),
      )
      .execute()
  }
  await sql`update key_counts set active_days = ${countedDays} where account_id = ${accountId}`.execute(db)
}
