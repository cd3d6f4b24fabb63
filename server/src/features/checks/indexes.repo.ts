import { sql } from 'kysely'
import type { TextTotals } from '../../search/store/audit-index.ts'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { inScope } from './spaces.repo.ts'

const isStrayPassage = (scope: Scope) => sql`${inScope(scope)}
  and not exists (select 1 from observations where ${inScope(scope)} and id = passages.observation_id)`

/** Additional passages of observations that do not exist. */
export async function countStrayPassages(db: Db, scope: Scope): Promise<number> {
  const [row] = await selectStrayPassages(db, scope)
  return row!.count
}

const selectStrayPassages = prepared((db: Db, scope: Scope) =>
  statement<{ count: number }>(
    db,
    sql`select count(*) as count from passages where ${isStrayPassage(scope)}`,
  ),
)

export async function deleteStrayPassages(db: Db, scope: Scope): Promise<void> {
  await sql`delete from passages where ${isStrayPassage(scope)}`.execute(db)
}

const isStrayVector = (scope: Scope) => sql`${inScope(scope)}
  and not exists (select 1 from observations where ${inScope(scope)} and id = vectors.passage_id)
  and not exists (select 1 from passages where ${inScope(scope)} and id = vectors.passage_id)`

/** Vectors of passages that do not exist. */
export async function countStrayVectors(db: Db, scope: Scope): Promise<number> {
  const [row] = await selectStrayVectors(db, scope)
  return row!.count
}

const selectStrayVectors = prepared((db: Db, scope: Scope) =>
  statement<{ count: number }>(db, sql`select count(*) as count from vectors where ${isStrayVector(scope)}`),
)

export async function deleteStrayVectors(db: Db, scope: Scope): Promise<void> {
  await sql`delete from vectors where ${isStrayVector(scope)}`.execute(db)
}

/** The search totals of a space. */
export async function getIndexTotals(db: Db, scope: Scope): Promise<TextTotals> {
  const [totals] = await selectIndexTotals(db, scope)
  return totals!
}

const selectIndexTotals = prepared((db: Db, { accountId, spaceId }: Scope) =>
  db
    .selectFrom('spaces')
    .select(['passages', 'length'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId),
)
