import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Database } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { differencesMax } from './accounts.repo.ts'
import { inSameSpace, ofPart } from './checked-part.repo.ts'

export const inScope = ({ accountId, spaceId }: Scope) =>
  sql`account_id = ${accountId} and space_id = ${spaceId}`

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

const countOf = (table: keyof Database) =>
  sql`(select count(*) from ${sql.table(table)} as t where ${inSameSpace('t', 's')})`

/** Spaces with a counter that differs from the rows, or with a gap in the change log. */
export const listMiscounted = ofPart<Scope>(
  (
    within,
  ) => sql`select s.account_id as "accountId", s.space_id as "spaceId" from spaces as s where ${within('s')}
    and (s.entities <> ${countOf('entities')} or s.relations <> ${countOf('relations')}
      or s.observations <> ${countOf('observations')} or s.seq <> ${countOf('changes')}
      or s.seq <> (select coalesce(max(seq), 0) from changes as t where ${inSameSpace('t', 's')}))
    limit ${differencesMax}`,
)

export type TypeDifference = { kind: string; type: string; counted: number; stored: number }

export const listTypeDifferences = ofPart<TypeDifference>(
  (within) =>
    sql`select kind, type, cast(sum(counted) as bigint) as counted, cast(sum(stored) as bigint) as stored from (
      select account_id, space_id, 'entity' as kind, type, 1 as counted, 0 as stored from entities as e
        where ${within('e')}
      union all select account_id, space_id, 'relation', type, 1, 0 from relations as r where ${within('r')}
      union all select account_id, space_id, kind, type, 0, count from type_counts as c where ${within('c')}
    ) as counts group by account_id, space_id, kind, type having sum(counted) <> sum(stored)
    order by kind, type limit ${differencesMax}`,
)

export type EntityDifference = {
  id: number
  observations: number
  observationsCounted: number
  degree: number
  degreeCounted: number
}

/** Entities whose observation or relation counts differ from the tables. */
export const listEntityDifferences = ofPart<EntityDifference>(
  (within) =>
    sql`select * from (
      select id, observations_count as observations, degree, ${countedObservations('e')} as "observationsCounted",
        ${countedDegree('e')} as "degreeCounted"
      from entities as e where ${within('e')}
    ) as counts where observations <> "observationsCounted" or degree <> "degreeCounted"
    order by id limit ${differencesMax}`,
)

const countedObservations = (entity: string) =>
  sql`(select count(*) from observations as o
    where ${inSameSpace('o', entity)} and o.entity_id = ${sql.ref(`${entity}.id`)})`

const countedDegree = (entity: string) => sql`(
  (select count(*) from relations as r where ${inSameSpace('r', entity)} and r.from_id = ${sql.ref(`${entity}.id`)}) +
  (select count(*) from relations as r where ${inSameSpace('r', entity)} and r.to_id = ${sql.ref(`${entity}.id`)}))`

/** Observations and relations whose entity does not exist. */
export const listOrphans = ofPart<{ kind: 'obs' | 'rel'; id: number }>((within) => {
  const lacks = (alias: string, column: string) =>
    sql`not exists (select 1 from entities as e
      where ${inSameSpace('e', alias)} and e.id = ${sql.ref(`${alias}.${column}`)})`
  return sql`select 'obs' as kind, o.id from observations as o where ${within('o')} and ${lacks('o', 'entity_id')}
    union all
    select 'rel', r.id from relations as r
      where ${within('r')} and (${lacks('r', 'from_id')} or ${lacks('r', 'to_id')})
    limit ${differencesMax}`
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
  await sql`update entities set observations_count = ${countedObservations('entities')}, degree = ${countedDegree('entities')}
    where ${inScope(scope)} and (observations_count <> ${countedObservations('entities')}
      or degree <> ${countedDegree('entities')})`.execute(db)
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
  scope: Scope,
  ids: readonly number[],
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const chunk of chunksOf(ids, idsPerLookUp)) {
    const rows = await db
      .selectFrom('observations')
      .select('id')
      .where(isIn(scope))
      .where(dialectOf(db).isOneOfNumbers('id', chunk))
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}
