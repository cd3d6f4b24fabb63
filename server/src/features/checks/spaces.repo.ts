import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Database } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { differencesMax } from './accounts.repo.ts'

export const inScope = ({ accountId, spaceId }: Scope) =>
  sql`account_id = ${accountId} and space_id = ${spaceId}`

const tablesOfSpaces = [
  'entities',
  'observations',
  'relations',
  'past_entities',
  'past_observations',
  'past_relations',
  'changes',
  'change_sets',
  'type_counts',
  'aliases',
  'passages',
  'search_words',
  'vectors',
] as const satisfies (keyof Database)[]

/** Whether a space has neither rows nor counts, so that there is nothing to compare. */
export const isEmptySpace = async (db: Db, scope: Scope): Promise<boolean> =>
  (await selectEmpty(db, scope)).length > 0

const selectEmpty = prepared((db: Db, scope: Scope) => {
  const lacksRows = tablesOfSpaces.map(
    (table) => sql`not exists (select 1 from ${sql.table(table)} where ${inScope(scope)})`,
  )
  return statement<{ id: number }>(
    db,
    sql`select space_id as id from spaces where ${inScope(scope)}
      and entities + relations + observations + seq + passages + length = 0
      and ${sql.join(lacksRows, sql` and `)}`,
  )
})

export type Totals = { entities: number; relations: number; observations: number; seq: number }

/** Totals by counting the rows; `seq` is that of the newest change. */
export async function countRows(db: Db, scope: Scope): Promise<Totals & { changes: number }> {
  const [row] = await selectCounted(db, scope)
  return row!
}

const selectCounted = prepared((db: Db, scope: Scope) =>
  statement<Totals & { changes: number }>(
    db,
    sql`select
      (select count(*) from entities where ${inScope(scope)}) as entities,
      (select count(*) from relations where ${inScope(scope)}) as relations,
      (select count(*) from observations where ${inScope(scope)}) as observations,
      (select count(*) from changes where ${inScope(scope)}) as changes,
      (select coalesce(max(seq), 0) from changes where ${inScope(scope)}) as seq`,
  ),
)

export type TypeDifference = { kind: string; type: string; counted: number; stored: number }

export const listTypeDifferences = prepared((db: Db, scope: Scope) =>
  statement<TypeDifference>(
    db,
    sql`select kind, type, cast(sum(counted) as bigint) as counted, cast(sum(stored) as bigint) as stored from (
      select 'entity' as kind, type, 1 as counted, 0 as stored from entities where ${inScope(scope)}
      union all select 'relation', type, 1, 0 from relations where ${inScope(scope)}
      union all select kind, type, 0, count from type_counts where ${inScope(scope)}
    ) as counts group by kind, type having sum(counted) <> sum(stored) order by kind, type limit ${differencesMax}`,
  ),
)

export type EntityDifference = {
  id: number
  observations: number
  observationsCounted: number
  degree: number
  degreeCounted: number
}

/** Entities whose observation or relation counts differ from the tables. */
export const listEntityDifferences = prepared((db: Db, scope: Scope) =>
  statement<EntityDifference>(
    db,
    sql`select * from (
      select id, observations_count as observations, degree, ${countedObservations(scope)} as "observationsCounted",
        ${countedDegree(scope)} as "degreeCounted"
      from entities where ${inScope(scope)}
    ) as counts where observations <> "observationsCounted" or degree <> "degreeCounted"
    order by id limit ${differencesMax}`,
  ),
)

const countedObservations = (scope: Scope) =>
  sql`(select count(*) from observations where ${inScope(scope)} and entity_id = entities.id)`

const countedDegree = (scope: Scope) => sql`(
  (select count(*) from relations where ${inScope(scope)} and from_id = entities.id) +
  (select count(*) from relations where ${inScope(scope)} and to_id = entities.id))`

/** Observations and relations whose entity does not exist. */
export const listOrphans = prepared((db: Db, scope: Scope) => {
  const lacks = (column: string) =>
    sql`not exists (select 1 from entities where ${inScope(scope)} and entities.id = ${sql.ref(column)})`
  return statement<{ kind: 'obs' | 'rel'; id: number }>(
    db,
    sql`select 'obs' as kind, id from observations where ${inScope(scope)} and ${lacks('observations.entity_id')}
    union all
    select 'rel', id from relations
      where ${inScope(scope)} and (${lacks('relations.from_id')} or ${lacks('relations.to_id')})
    limit ${differencesMax}`,
  )
})

/** Entities created by merging, after the number `after`, with the merged names. */
export async function listMergedNames(
  db: Db,
  scope: Scope,
  page: { after: number; limit: number },
): Promise<{ id: number; aliases: string[] }[]> {
  const rows = await selectMergedNames(db, { ...scope, ...page })
  return rows.map(({ id, aliases }) => ({ id, aliases: JSON.parse(aliases ?? '[]') }))
}

const selectMergedNames = prepared(
  (db: Db, { accountId, spaceId, after, limit }: Scope & { after: number; limit: number }) =>
    db
      .selectFrom('entities')
      .select(['id', 'aliases'])
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where('id', '>', after)
      .where('aliases', 'is not', null)
      .orderBy('id')
      .limit(limit),
)

/** Aliases after the name `after`, in order. */
export const listAliases = prepared(
  (db: Db, { accountId, spaceId, after, limit }: Scope & { after: string; limit: number }) =>
    db
      .selectFrom('aliases')
      .select(['name', 'entity_id as id'])
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where('name', '>', after)
      .orderBy('name')
      .limit(limit),
)

/** Sets every counter of a space to what the rows say. The caller holds the account's lock. */
export async function recountSpace(db: Db, scope: Scope): Promise<void> {
  const { entities, relations, observations, seq } = await countRows(db, scope)
  await sql`update spaces set entities = ${entities}, relations = ${relations}, observations = ${observations},
    seq = ${seq} where ${inScope(scope)}`.execute(db)
  // The rows stay: they hold the colours.
  await sql`update type_counts set count = 0 where ${inScope(scope)}`.execute(db)
  await sql`insert into type_counts (account_id, space_id, kind, type, count)
    select * from (
      select account_id, space_id, 'entity', type, count(*) from entities where ${inScope(scope)}
        group by account_id, space_id, type
      union all
      select account_id, space_id, 'relation', type, count(*) from relations where ${inScope(scope)}
        group by account_id, space_id, type
    ) as counted where true
    on conflict (account_id, space_id, kind, type) do update set count = excluded.count`.execute(db)
  await sql`update entities set observations_count = ${countedObservations(scope)}, degree = ${countedDegree(scope)}
    where ${inScope(scope)} and (observations_count <> ${countedObservations(scope)} or degree <> ${countedDegree(scope)})`.execute(
    db,
  )
}

/** Observations that replace others or are replaced, after the number `after`. */
export const listReplacements = prepared(
  (db: Db, { accountId, spaceId, after, limit }: Scope & { after: number; limit: number }) =>
    db
      .selectFrom('observations')
      .select(['id', 'replaces', 'replaced_by'])
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where('id', '>', after)
      .where(sql<boolean>`(replaces is not null or replaced_by is not null)`)
      .orderBy('id')
      .limit(limit),
)

const idsPerLookUp = 500

/** Those of these numbers that observations have. */
export async function findCurrentObservations(
  db: Db,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const chunk of chunksOf(ids, idsPerLookUp)) {
    const rows = await db
      .selectFrom('observations')
      .select('id')
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where(dialectOf(db).isOneOfNumbers('id', chunk))
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}
