import { type RawBuilder, sql } from 'kysely'
import { operationNumbers } from '../../rows/operations.ts'
import { differencesMax } from './accounts.repo.ts'
import { inSameSpace, ofPart } from './checked-part.repo.ts'

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

type HistoryTable = keyof typeof operations
export const historyTables = Object.keys(operations) as HistoryTable[]

/**
 * How far the history of each space is kept: the last change that erased something (0 for none), and the one up to which
 * ended versions are deleted.
 */
const keptIn = (spaces: RawBuilder<unknown>) => sql`kept as materialized (
  select s.account_id, s.space_id, s.history_from, coalesce((select max(seq) from changes as e
    where ${inSameSpace('e', 's')} and e.operation in (${entity_erased}, ${observation_erased})), 0) as erased_at
  from spaces as s where ${spaces})`

type Within = (alias: string) => RawBuilder<unknown>

/** A statement for each table. */
function ofEach<Output>(build: (table: HistoryTable, within: Within) => RawBuilder<unknown>) {
  const prepare = (table: HistoryTable) => ofPart<Output>((within) => build(table, within))
  return {
    entities: prepare('entities'),
    observations: prepare('observations'),
    relations: prepare('relations'),
  }
}

/** The versions of rows that have past ones. */
const versionsOf = (table: HistoryTable, within: Within) => sql`
  select account_id, space_id, id, since, until, lead(since) over lives as next, lag(until) over lives as previous
  from (
    select c.account_id, c.space_id, c.id, c.since, cast(null as bigint) as until from (
      select distinct account_id, space_id, id from ${sql.table(`past_${table}`)} as p where ${within('p')}
    ) as changed join ${sql.table(table)} as c on ${inSameSpace('c', 'changed')} and c.id = changed.id
    union all
    select account_id, space_id, id, since, until from ${sql.table(`past_${table}`)} as p where ${within('p')}
  ) as versions window lives as (partition by account_id, space_id, id order by since)`

/**
 * Rows whose versions do not follow one another, or begin or end with a change that is not their own. A version ends
 * where the next begins, unless the row was deleted in between or belonged to an erased entity.
 */
export const listBrokenChains = ofEach<{ id: number }>((table, within) => {
  const { created, updated, ended } = operations[table]
  const isUpdate = (condition: RawBuilder<unknown>) => sql`(began.operation = ${created}
    or (began.operation = ${updated} and ${condition}))`
  const wasErased = sql`v.since <= k.erased_at`
  const isFirst = isUpdate(sql`(${wasErased} or v.since <= k.history_from)`)
  // Most rows have one version, and need no comparison with others.
  return sql`with ${keptIn(within('s'))}
    select v.id from kept as k join ${sql.table(table)} as v on ${inSameSpace('v', 'k')} and ${within('v')}
    where not exists (select 1 from ${sql.table(`past_${table}`)} as p where ${inSameSpace('p', 'v')} and p.id = v.id)
      and not exists (select 1 from changes as began where ${inSameSpace('began', 'v')}
        and began.seq = v.since and began.subject_id = v.id and ${isFirst})
    union
    select v.id from (${versionsOf(table, within)}) as v
    join kept as k on ${inSameSpace('k', 'v')}
    left join changes as began on ${inSameSpace('began', 'v')} and began.seq = v.since and began.subject_id = v.id
    left join changes as ended on ${inSameSpace('ended', 'v')} and ended.seq = v.until and ended.subject_id = v.id
    where (v.until is null and v.next is not null) or v.until <= v.since or v.next < v.until
      or not coalesce(case when v.previous is null then ${isFirst}
        when v.previous = v.since then began.operation = ${updated} else ${isUpdate(wasErased)} end, false)
      or (v.until is not null and not coalesce(case when v.next = v.until then ended.operation = ${updated}
        else (ended.operation in (${sql.join(ended)})
          or (ended.operation = ${updated} and v.until <= k.erased_at)) end, false))
    order by id limit ${differencesMax}`
})

/**
 * Changes within the kept history that lack a row version: the one they began, or the one they ended. Before the last
 * erasure, entities are checked only after their first version, and rows that could have belonged to the erased entity
 * are not checked.
 */
export const listUnknownChanges = ofEach<{ seq: number; id: number }>((table, within) => {
  const { created, updated, ended } = operations[table]
  const hasVersion = (of: string, condition: RawBuilder<unknown>) =>
    sql`exists (select 1 from ${sql.table(of)} as v
      where ${inSameSpace('v', 'c')} and v.id = c.subject_id and ${condition})`
  const [current, past] = [table, `past_${table}`]
  const began = sql`v.since = c.seq`
  const before = sql`v.since < c.seq`
  const isFollowed =
    table === 'entities' ? sql`(${hasVersion(current, before)} or ${hasVersion(past, before)})` : sql`1 = 0`
  return sql`with ${keptIn(within('s'))}
    select c.seq, c.subject_id as id from kept as k
    join changes as c on ${inSameSpace('c', 'k')} and c.seq > k.history_from and ${within('c')}
    where (
      (c.operation in (${created}, ${updated})
        and not (${hasVersion(current, began)} or ${hasVersion(past, began)}))
      or (c.operation in (${sql.join([updated, ...ended])}) and not ${hasVersion(past, sql`v.until = c.seq`)})
    ) and (c.seq > k.erased_at or ${isFollowed}) order by c.seq limit ${differencesMax}`
})

/** Changes that are in no set, or not in the set that began last; and sets whose number is not that of a change. */
export const listLooseChanges = ofPart<{ seq: number }>(
  (within) => sql`select seq from (
      select account_id, space_id, seq, set_seq,
        lag(set_seq) over (partition by account_id, space_id order by seq) as previous
      from changes as c where ${within('c')}
    ) as log where (previous is null or set_seq <> previous)
      and set_seq <> coalesce((select s.seq from change_sets as s
        where ${inSameSpace('s', 'log')} and s.seq = log.seq), previous, 0)
    union
    select s.seq from change_sets as s where ${within('s')}
      and not exists (select 1 from changes as c
        where ${inSameSpace('c', 's')} and c.seq = s.seq and c.set_seq = s.seq)
    limit ${differencesMax}`,
)
