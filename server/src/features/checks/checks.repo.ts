import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../auth/actor.ts'
import type { Db } from '../../db/db.ts'
import { spaceNumberOf } from '../../db/space-number.ts'

/** How many differences of one kind are told. */
const differencesMax = 20

/** Ids of accounts after `after`, in order. */
export async function listAccounts(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Spaces of all accounts after `after`, in order. */
export async function listSpaces(db: Db, after: Scope, limit: number): Promise<Scope[]> {
  return db
    .selectFrom('space_counters')
    .select(['account_id as accountId', 'space_id as spaceId'])
    .where((eb) => eb(eb.refTuple('account_id', 'space_id'), '>', eb.tuple(after.accountId, after.spaceId)))
    .orderBy('account_id')
    .orderBy('space_id')
    .limit(limit)
    .execute()
}

const inScope = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

async function firstRow<T>(db: Db, query: RawBuilder<T>): Promise<T> {
  return (await query.execute(db)).rows[0]!
}

export type Totals = { entities: number; relations: number; observations: number; seq: number }

/** Totals by counting the rows; `seq` is the newest change's. */
export async function countRows(db: Db, scope: Scope): Promise<Totals & { changes: number }> {
  return firstRow(
    db,
    sql<Totals & { changes: number }>`select
      (select count(*) from entities where ${inScope(scope)}) as entities,
      (select count(*) from relations where ${inScope(scope)}) as relations,
      (select count(*) from observations where ${inScope(scope)}) as observations,
      (select count(*) from changes where ${inScope(scope)}) as changes,
      (select coalesce(max(seq), 0) from changes where ${inScope(scope)}) as seq`,
  )
}

/** Entities of an account by counting, and as its counter says. */
export async function countAccountEntities(
  db: Db,
  accountId: string,
): Promise<{ counted: number; stored: number }> {
  return firstRow(
    db,
    sql<{ counted: number; stored: number }>`select
      (select count(*) from entities where account_id = ${accountId}) as counted,
      (select entities from account_counters where account_id = ${accountId}) as stored`,
  )
}

const countedOperations = (accountId: string) =>
  sql`select substr(day, 1, 7) as month, sum(requests) as counted from operation_counts
    where account_id = ${accountId} group by substr(day, 1, 7)`

const countedDays = sql`(select count(*) from key_days
  where key_days.account_id = key_counts.account_id and key_days.key_id = key_counts.key_id)`

/** Months whose operations are not the sum of what was counted by day. */
export async function listMonthDifferences(
  db: Db,
  accountId: string,
): Promise<{ month: string; counted: number; stored: number }[]> {
  const { rows } = await sql<{ month: string; counted: number; stored: number }>`
    select month, cast(sum(counted) as bigint) as counted, cast(sum(stored) as bigint) as stored from (
      select month, counted, 0 as stored from (${countedOperations(accountId)}) as days
      union all select month, 0, operations from month_counts where account_id = ${accountId}
    ) as counts group by month having sum(counted) <> sum(stored) order by month limit ${differencesMax}`.execute(
    db,
  )
  return rows
}

/** Keys whose active days are not the days that are kept. */
export async function listKeyDifferences(
  db: Db,
  accountId: string,
): Promise<{ keyId: string; counted: number; stored: number }[]> {
  const { rows } = await sql<{ keyId: string; counted: number; stored: number }>`
    select key_id as "keyId", active_days as stored, ${countedDays} as counted from key_counts
    where account_id = ${accountId} and active_days <> ${countedDays} order by key_id limit ${differencesMax}`.execute(
    db,
  )
  return rows
}

export type TypeDifference = { kind: string; type: string; counted: number; stored: number }

export async function listTypeDifferences(db: Db, scope: Scope): Promise<TypeDifference[]> {
  const { rows } = await sql<TypeDifference>`
    select kind, type, sum(counted) as counted, sum(stored) as stored from (
      select 'entity' as kind, type, 1 as counted, 0 as stored from entities where ${inScope(scope)}
      union all select 'relation', type, 1, 0 from relations where ${inScope(scope)}
      union all select kind, type, 0, count from type_counts where ${inScope(scope)}
    ) as counts group by kind, type having sum(counted) <> sum(stored) limit ${differencesMax}`.execute(db)
  return rows
}

export type EntityDifference = {
  id: string
  observations: number
  observationsCounted: number
  degree: number
  degreeCounted: number
}

/** Entities whose counts of observations or relation ends are not what the tables say. */
export async function listEntityDifferences(db: Db, scope: Scope): Promise<EntityDifference[]> {
  const { rows } = await sql<EntityDifference>`
    select * from (
      select id, observations_count as observations, degree, ${countedObservations(scope)} as "observationsCounted",
        ${countedDegree(scope)} as "degreeCounted"
      from entities where ${inScope(scope)}
    ) as counts where observations <> "observationsCounted" or degree <> "degreeCounted" limit ${differencesMax}`.execute(
    db,
  )
  return rows
}

const countedObservations = (scope: Scope) =>
  sql`(select count(*) from observations where ${inScope(scope)} and entity_id = entities.id)`

const countedDegree = (scope: Scope) => sql`(
  (select count(*) from relations where ${inScope(scope)} and from_id = entities.id) +
  (select count(*) from relations where ${inScope(scope)} and to_id = entities.id))`

/** Ids of observations and relations whose entity is not there. */
export async function listOrphans(db: Db, scope: Scope): Promise<string[]> {
  const lacks = (column: string) =>
    sql`not exists (select 1 from entities where ${inScope(scope)} and entities.id = ${sql.ref(column)})`
  const { rows } = await sql<{ id: string }>`
    select id from observations where ${inScope(scope)} and ${lacks('observations.entity_id')}
    union all
    select id from relations where ${inScope(scope)} and (${lacks('relations.from_id')} or ${lacks('relations.to_id')})
    limit ${differencesMax}`.execute(db)
  return rows.map(({ id }) => id)
}

const logged = {
  entities: ['entity_created', 'entity_deleted'],
  relations: ['relation_created', 'relation_deleted'],
  observations: ['observation_added', 'observation_deleted'],
} as const

/** Ids that the change log says are there and are not, or the other way round. */
export async function listUnlogged(db: Db, scope: Scope, table: keyof typeof logged): Promise<string[]> {
  const [created, deleted] = logged[table]
  const { rows } = await sql<{ id: string }>`
    select id from (
      select subject_id as id, case operation when ${created} then 1 else -1 end as alive
      from changes where ${inScope(scope)} and operation in (${created}, ${deleted})
      union all select id, -1 from ${sql.table(table)} where ${inScope(scope)}
    ) as lives group by id having sum(alive) <> 0 limit ${differencesMax}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Ids of what search should know and does not, and of what it knows and is not there. */
export async function listIndexDifferences(db: Db, scope: Scope): Promise<string[]> {
  const inSpace = sql`space_number = ${spaceNumberOf(scope)}`
  const { rows } = await sql<{ id: string }>`
    select id from observations where ${inScope(scope)}
      and not exists (select 1 from passages where ${inSpace} and observation_id = observations.id)
    union all
    select id from entities where ${inScope(scope)}
      and not exists (select 1 from passages where ${inSpace} and entity_id = entities.id and position = -1)
    union all
    select observation_id from passages where ${inSpace} and observation_id <> ''
      and not exists (select 1 from observations
        where ${inScope(scope)} and id = passages.observation_id and entity_id = passages.entity_id)
    union all
    select entity_id from passages where ${inSpace} and position = -1
      and not exists (select 1 from entities where ${inScope(scope)} and id = passages.entity_id)
    limit ${differencesMax}`.execute(db)
  return rows.map(({ id }) => id)
}

export type IndexTotals = { passages: number; length: number }

/** What search counts of a space: as it is kept, and by counting. */
export async function countIndexed(
  db: Db,
  scope: Scope,
): Promise<{ stored: IndexTotals; counted: IndexTotals }> {
  const { passages, length, ...counted } = await firstRow(
    db,
    sql<IndexTotals & { countedPassages: number; countedLength: number }>`select
      coalesce((select passages from search_spaces where ${inScope(scope)}), 0) as passages,
      coalesce((select length from search_spaces where ${inScope(scope)}), 0) as length,
      count(*) as "countedPassages", cast(coalesce(sum(length), 0) as bigint) as "countedLength"
      from passages where space_number = ${spaceNumberOf(scope)} and observation_id <> ''`,
  )
  return {
    stored: { passages, length },
    counted: { passages: counted.countedPassages, length: counted.countedLength },
  }
}

/** Sets every counter of an account as a whole to what the rows say. The caller holds the account's lock. */
export async function recountAccount(db: Db, accountId: string): Promise<void> {
  const { counted } = await countAccountEntities(db, accountId)
  await sql`update account_counters set entities = ${counted} where account_id = ${accountId}`.execute(db)
  await sql`delete from month_counts where account_id = ${accountId}`.execute(db)
  await sql`insert into month_counts (account_id, month, operations)
    select ${accountId}, month, counted from (${countedOperations(accountId)}) as days`.execute(db)
  await sql`update key_counts set active_days = ${countedDays} where account_id = ${accountId}`.execute(db)
}

/** Sets every counter of a space to what the rows say. The caller holds the account's lock. */
export async function recount(db: Db, scope: Scope): Promise<void> {
  const { entities, relations, observations, seq } = await countRows(db, scope)
  await sql`update space_counters set entities = ${entities}, relations = ${relations}, observations = ${observations},
    seq = ${seq} where ${inScope(scope)}`.execute(db)
  await sql`delete from type_counts where ${inScope(scope)}`.execute(db)
  await sql`insert into type_counts (account_id, space_id, kind, type, count)
    select account_id, space_id, 'entity', type, count(*) from entities where ${inScope(scope)}
      group by account_id, space_id, type
    union all
    select account_id, space_id, 'relation', type, count(*) from relations where ${inScope(scope)}
      group by account_id, space_id, type`.execute(db)
  await sql`update entities set observations_count = ${countedObservations(scope)}, degree = ${countedDegree(scope)}
    where ${inScope(scope)} and (observations_count <> ${countedObservations(scope)} or degree <> ${countedDegree(scope)})`.execute(
    db,
  )
}
