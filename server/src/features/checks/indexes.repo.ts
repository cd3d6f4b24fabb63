import { sql } from 'kysely'
import type { TextTotals } from '../../search/store/audit-index.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { inScope } from './spaces.repo.ts'

const isStrayPassage = (scope: Scope) => sql`${inScope(scope)}
  and not exists (select 1 from observations where ${inScope(scope)} and id = passages.observation_id)`

/** Additional passages of observations that do not exist. */
export async function countStrayPassages(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from passages where ${isStrayPassage(scope)}`.execute(db)
  return rows[0]!.count
}

export async function deleteStrayPassages(db: Db, scope: Scope): Promise<void> {
  await sql`delete from passages where ${isStrayPassage(scope)}`.execute(db)
}

const isStrayVector = (scope: Scope) => sql`${inScope(scope)}
  and not exists (select 1 from observations where ${inScope(scope)} and id = vectors.passage_id)
  and not exists (select 1 from passages where ${inScope(scope)} and id = vectors.passage_id)`

/** Vectors of passages that do not exist. */
export async function countStrayVectors(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from vectors where ${isStrayVector(scope)}`.execute(db)
  return rows[0]!.count
}

export async function deleteStrayVectors(db: Db, scope: Scope): Promise<void> {
  await sql`delete from vectors where ${isStrayVector(scope)}`.execute(db)
}

/** The search totals of a space. */
export async function getIndexTotals(db: Db, { accountId, spaceId }: Scope): Promise<TextTotals> {
  return db
    .selectFrom('spaces')
    .select(['passages', 'length'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .executeTakeFirstOrThrow()
}
