import { type RawBuilder, sql } from 'kysely'
import { operationNumbers } from '../../memory/log/operations.ts'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { differencesMax } from './accounts.repo.ts'
import { inScope } from './spaces.repo.ts'

const { entity_created, entity_updated, entity_deleted, entity_merged, entity_erased } = operationNumbers
const { observation_added, observation_updated, observation_deleted, observation_erased } = operationNumbers
const { relation_created, relation_updated, relation_deleted } = operationNumbers

/** The operations that create a row, update it and end it. */
const operations = {
  entities: { created: entity_created, updated: entity_updated, ended: [entity_deleted, entity_merged] },
  observations: {
    created: observation_added,
    updated: observation_updated,
    ended: [observation_deleted],
  },
  relations: { created: relation_created, updated: relation_updated, ended: [relation_deleted] },
} as const

export type HistoryTable = keyof typeof operations
export const historyTables = Object.keys(operations) as HistoryTable[]

/**
 * How far history is kept: the last change that erased something (0 for none), and the one up to which ended versions
 * are deleted.
 */
export type Kept = { erasedAt: number; historyFrom: number }

export async function getKept(db: Db, scope: Scope): Promise<Kept> {
  const [kept] = await selectKept(db, scope)
  return kept!
}

const selectKept = prepared((db: Db, scope: Scope) =>
  statement<Kept>(
    db,
    sql`select history_from as "historyFrom", coalesce((select max(seq) from changes
      where ${inScope(scope)} and operation in (${entity_erased}, ${observation_erased})), 0) as "erasedAt"
      from spaces where ${inScope(scope)}`,
  ),
)

type Build = (table: HistoryTable, values: Scope & Kept) => RawBuilder<unknown>

/** A prepared statement for each table. */
function ofEach<Output>(build: Build) {
  const prepare = (table: HistoryTable) =>
    prepared((db: Db, values: Scope & Kept) => statement<Output>(db, build(table, values)))
  return {
    entities: prepare('entities'),
    observations: prepare('observations'),
    relations: prepare('relations'),
  }
}

/** The versions of rows that have past ones. */
const versionsOf = (table: HistoryTable, scope: Scope) => sql`
  select id, since, until, lead(since) over lives as next, lag(until) over lives as previous from (
    select id, since, cast(null as bigint) as until from ${sql.table(table)} where ${inScope(scope)}
      and id in (select id from ${sql.table(`past_${table}`)} where ${inScope(scope)})
    union all select id, since, until from ${sql.table(`past_${table}`)} where ${inScope(scope)}
  ) as versions window lives as (partition by id order by since)`

/**
 * Rows whose versions do not follow one another, or begin or end with a change that is not their own. A version ends
 * where the next begins, unless the row was deleted in between or belonged to an erased entity.
 */
export async function listBrokenChains(
  db: Db,
  scope: Scope,
  table: HistoryTable,
  kept: Kept,
): Promise<number[]> {
  const rows = await selectBrokenChains[table](db, { ...scope, ...kept })
  return rows.map(({ id }) => id)
}

const selectBrokenChains = ofEach<{ id: number }>((table, scope) => {
  const { created, updated, ended } = operations[table]
  const { erasedAt, historyFrom } = scope
  const isUpdate = (condition: RawBuilder<unknown>) => sql`(began.operation = ${created}
    or (began.operation = ${updated} and ${condition}))`
  const wasErased = sql`v.since <= ${erasedAt}`
  // Most rows have one version, and need no comparison with others.
  return sql`
    select v.id from ${sql.table(table)} as v
    where v.account_id = ${scope.accountId} and v.space_id = ${scope.spaceId}
      and not exists (select 1 from ${sql.table(`past_${table}`)} where ${inScope(scope)} and id = v.id)
      and not exists (select 1 from changes as began
        where began.account_id = ${scope.accountId} and began.space_id = ${scope.spaceId}
          and began.seq = v.since and began.subject_id = v.id
          and ${isUpdate(sql`(${wasErased} or v.since <= ${historyFrom})`)})
    union
    select distinct v.id from (${versionsOf(table, scope)}) as v
    left join changes as began on began.account_id = ${scope.accountId} and began.space_id = ${scope.spaceId}
      and began.seq = v.since and began.subject_id = v.id
    left join changes as ended on ended.account_id = ${scope.accountId} and ended.space_id = ${scope.spaceId}
      and ended.seq = v.until and ended.subject_id = v.id
    where (v.until is null and v.next is not null) or v.until <= v.since or v.next < v.until
      or not coalesce(case when v.previous is null then ${isUpdate(sql`(${wasErased} or v.since <= ${historyFrom})`)}
        when v.previous = v.since then began.operation = ${updated} else ${isUpdate(wasErased)} end, false)
      or (v.until is not null and not coalesce(case when v.next = v.until then ended.operation = ${updated}
        else (ended.operation in (${sql.join(ended)})
          or (ended.operation = ${updated} and v.until <= ${erasedAt})) end, false))
    order by id limit ${differencesMax}`
})

/**
 * Changes within the kept history that lack a row version: the one they began, or the one they ended. Before the last
 * erasure, entities are checked only after their first version, and rows that could have belonged to the erased entity
 * are not checked.
 */
export async function listUnknownChanges(
  db: Db,
  scope: Scope,
  table: HistoryTable,
  kept: Kept,
): Promise<{ seq: number; id: number }[]> {
  return selectUnknownChanges[table](db, { ...scope, ...kept })
}

const selectUnknownChanges = ofEach<{ seq: number; id: number }>((table, scope) => {
  const { created, updated, ended } = operations[table]
  const [current, past] = [sql.table(table), sql.table(`past_${table}`)]
  const subject = sql`${inScope(scope)} and id = c.subject_id`
  const began = sql`(exists (select 1 from ${current} where ${subject} and since = c.seq)
    or exists (select 1 from ${past} where ${subject} and since = c.seq))`
  const isFollowed =
    table === 'entities'
      ? sql`(exists (select 1 from ${current} where ${subject} and since < c.seq)
        or exists (select 1 from ${past} where ${subject} and since < c.seq))`
      : sql`1 = 0`
  return sql`
    select c.seq, c.subject_id as id from changes as c where ${inScope(scope)} and c.seq > ${scope.historyFrom} and (
      (c.operation in (${created}, ${updated}) and not ${began})
      or (c.operation in (${sql.join([updated, ...ended])})
        and not exists (select 1 from ${past} where ${subject} and until = c.seq))
    ) and (c.seq > ${scope.erasedAt} or ${isFollowed}) order by c.seq limit ${differencesMax}`
})

/** Changes that are in no set, or not in the set that began last; and sets whose number is not that of a change. */
export async function listLooseChanges(db: Db, scope: Scope): Promise<number[]> {
  return (await selectLooseChanges(db, scope)).map(({ seq }) => seq)
}

const selectLooseChanges = prepared((db: Db, scope: Scope) =>
  statement<{ seq: number }>(
    db,
    sql`select seq from (
      select c.seq, c.set_seq, s.seq as begins, lag(c.set_seq) over (order by c.seq) as previous
      from changes as c
      left join change_sets as s on s.account_id = c.account_id and s.space_id = c.space_id and s.seq = c.seq
      where c.account_id = ${scope.accountId} and c.space_id = ${scope.spaceId}
    ) as log where not (set_seq = coalesce(begins, previous, 0))
    union all
    select seq from change_sets as s where ${inScope(scope)}
      and not exists (select 1 from changes as c
        where c.account_id = s.account_id and c.space_id = s.space_id and c.seq = s.seq)
    limit ${differencesMax}`,
  ),
)
