import { type RawBuilder, sql } from 'kysely'
import { countedColumns } from '../../rows/codec.ts'
import type { VersionedTable } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Database } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type Accounts, inSameSpace, only, withinAccounts } from './checked-part.repo.ts'

/** Most differences reported of one kind. */
export const differencesMax = 20

/** An account's number and its public id, with the bytes that it says to store. */
export type NamedAccount = { accountId: number; id: string; bytes: number }
/** A space with the stored totals of its search index, and with what there is to compare row by row (1, or else 0). */
export type CheckedSpace = Scope & {
  name: string
  passages: number
  length: number
  hasTexts: number
  hasTurns: number
  hasMerged: number
  hasReplaced: number
}

/** Accounts after the number `after`, in order, except those being deleted. */
export async function listCheckedAccounts(db: Db, after: number, limit: number): Promise<NamedAccount[]> {
  return db
    .selectFrom('accounts')
    .select(['account_id as accountId', 'id', sql<number>`bytes + conversation_bytes`.as('bytes')])
    .where('account_id', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('account_id')
    .limit(limit)
    .execute()
}

type SpacesPage = { after: Scope; last: number; limit: number }

/** Spaces after the one of `after`, up to the account `last`, in order, except those being deleted. */
export const listCheckedSpaces = (db: Db, { after, last, limit }: SpacesPage): Promise<CheckedSpace[]> =>
  selectSpaces(db, { ...after, last, limit })

const selectSpaces = prepared(
  (db: Db, { accountId, spaceId, last, limit }: Scope & { last: number; limit: number }) => {
    const has = (table: keyof Database, condition = sql`1 = 1`) =>
      sql`exists (select 1 from ${sql.table(table)} as t where ${inSameSpace('t', 's')} and ${condition})`
    const isAny = (...conditions: RawBuilder<unknown>[]) =>
      sql`case when ${sql.join(conditions, sql` or `)} then 1 else 0 end`
    const isCounted = sql`s.passages <> 0 or s.length <> 0`
    const isReplaced = sql`(t.replaces is not null or t.replaced_by is not null)`
    return statement<CheckedSpace>(
      db,
      sql`select s.account_id as "accountId", s.space_id as "spaceId", s.name, s.passages, s.length,
        ${isAny(isCounted, has('entities'), has('observations'), has('search_words'))} as "hasTexts",
        ${isAny(has('turns'), has('turn_indexes'))} as "hasTurns",
        ${isAny(has('aliases'), has('entities', sql`t.aliases is not null`))} as "hasMerged",
        ${isAny(has('observations', isReplaced))} as "hasReplaced"
      from spaces as s where (s.account_id, s.space_id) > (${accountId}, ${spaceId}) and s.account_id <= ${last}
        and s.deleted_at is null order by s.account_id, s.space_id limit ${limit}`,
    )
  },
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

const selectTotals = prepared((db: Db, { accountId }: OfAccount) =>
  statement<AccountTotals & Record<'storedEntities' | 'storedBytes' | 'storedConversations', number>>(
    db,
    sql`select (select count(*) from entities as t where t.account_id = a.account_id) as entities,
      ${bytesOf('entities')} + ${bytesOf('observations')} + ${bytesOf('relations')} as bytes,
      ${conversationBytes()} as "conversationBytes", conversation_bytes as "storedConversations",
      entities as "storedEntities", bytes as "storedBytes" from accounts as a where account_id = ${accountId}`,
  ),
)

/** What the counted columns of a table take, for the account `a`. */
function bytesOf(table: VersionedTable) {
  const lengths = countedColumns[table].map(
    (column) => sql`coalesce(octet_length(${sql.ref(`t.${column}`)}), 0)`,
  )
  return sql`(select cast(coalesce(sum(${sql.join(lengths, sql` + `)}), 0) as bigint)
    from ${sql.table(table)} as t where t.account_id = a.account_id)`
}

/** What the turns of the account `a` take. */
const conversationBytes = () => sql`(
  select cast(coalesce(sum(octet_length(text) + coalesce(octet_length(tool), 0) + coalesce(octet_length(files), 0)), 0) as bigint)
  from turns as t where t.account_id = a.account_id)`

/** Accounts with a total that differs from the rows. */
export const listMiscountedAccounts = prepared((db: Db, accounts: Accounts) =>
  statement<{ accountId: number }>(
    db,
    sql`select a.account_id as "accountId" from accounts as a where ${withinAccounts(accounts)('a')}
      and (a.entities <> (select count(*) from entities as t where t.account_id = a.account_id)
        or a.bytes <> ${bytesOf('entities')} + ${bytesOf('observations')} + ${bytesOf('relations')}
        or a.conversation_bytes <> ${conversationBytes()})
      limit ${differencesMax}`,
  ),
)

const countedDays = sql`(select count(*) from key_days
  where key_days.account_id = key_counts.account_id and key_days.key_id = key_counts.key_id)`

export type MonthDifference = { month: string; counted: number; stored: number }

/**
 * Months with fewer operations than were counted by day. Writes are counted in their own transaction and the statistics
 * about a second later, so a killed process leaves a month with more operations than its days.
 */
export const listMonthDifferences = prepared((db: Db, accounts: Accounts) =>
  statement<MonthDifference>(
    db,
    sql`select days.month, days.counted, coalesce(m.operations, 0) as stored
    from (
      select account_id, substr(day, 1, 7) as month, cast(sum(requests) as bigint) as counted
      from operation_counts as o where ${withinAccounts(accounts)('o')} group by account_id, substr(day, 1, 7)
    ) as days
    left join month_counts as m on m.account_id = days.account_id and m.month = days.month
    where days.counted > coalesce(m.operations, 0)
    order by days.month limit ${differencesMax}`,
  ),
)

export type KeyDifference = { keyId: string; counted: number; stored: number }

/** Keys whose number of active days differs from the days stored. */
export const listKeyDifferences = prepared((db: Db, accounts: Accounts) =>
  statement<KeyDifference>(
    db,
    sql`select key_id as "keyId", active_days as stored, ${countedDays} as counted from key_counts
    where ${withinAccounts(accounts)('key_counts')} and active_days <> ${countedDays}
    order by key_id limit ${differencesMax}`,
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
  for (const { month, counted } of await listMonthDifferences(db, only(accountId))) {
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
