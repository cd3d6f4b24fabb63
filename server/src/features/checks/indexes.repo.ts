import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { Scope } from '../../scope.ts'
import { differencesMax } from './accounts.repo.ts'
import { inScope } from './spaces.repo.ts'

export type IndexedThing = { kind: 'ent' | 'obs'; id: number }

/** What search should know and does not, and what it knows and is not there. */
export async function listIndexDifferences(db: Db, scope: Scope): Promise<IndexedThing[]> {
  const { rows } = await sql<IndexedThing>`
    select 'obs' as kind, id from observations where ${inScope(scope)}
      and not exists (select 1 from passages where ${inScope(scope)} and id = observations.id
        and observation_id = observations.id and entity_id = observations.entity_id)
    union all
    select 'ent', id from entities where ${inScope(scope)}
      and not exists (select 1 from passages where ${inScope(scope)} and id = entities.id and observation_id = 0)
    union all
    select 'obs', observation_id from passages where ${inScope(scope)} and observation_id <> 0
      and not exists (select 1 from observations
        where ${inScope(scope)} and id = passages.observation_id and entity_id = passages.entity_id)
    union all
    select 'ent', entity_id from passages where ${inScope(scope)} and observation_id = 0
      and not exists (select 1 from entities where ${inScope(scope)} and id = passages.entity_id)
    limit ${differencesMax}`.execute(db)
  return rows
}

/** Vectors of passages that are not there. */
export async function countStrayVectors(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from vectors where ${inScope(scope)}
    and not exists (select 1 from passages where ${inScope(scope)} and id = vectors.passage_id)`.execute(db)
  return rows[0]!.count
}

export async function deleteStrayVectors(db: Db, scope: Scope): Promise<void> {
  await sql`delete from vectors where ${inScope(scope)}
    and not exists (select 1 from passages where ${inScope(scope)} and id = vectors.passage_id)`.execute(db)
}

export type IndexTotals = { passages: number; length: number }

/** What search counts of a space: as it is kept, and by counting. */
export async function countIndexed(
  db: Db,
  scope: Scope,
): Promise<{ stored: IndexTotals; counted: IndexTotals }> {
  const { rows } = await sql<IndexTotals & { countedPassages: number; countedLength: number }>`select
    (select passages from spaces where ${inScope(scope)}) as passages,
    (select length from spaces where ${inScope(scope)}) as length,
    count(*) as "countedPassages", cast(coalesce(sum(length), 0) as bigint) as "countedLength"
    from passages where ${inScope(scope)} and observation_id <> 0`.execute(db)
  const { passages, length, countedPassages, countedLength } = rows[0]!
  return { stored: { passages, length }, counted: { passages: countedPassages, length: countedLength } }
}

/** Sets what search counts of a space to what the passages say. The caller holds the account's lock. */
export async function recountIndexed(db: Db, scope: Scope): Promise<void> {
  const { passages, length } = (await countIndexed(db, scope)).counted
  await sql`update spaces set passages = ${passages}, length = ${length} where ${inScope(scope)}`.execute(db)
}
