import { sql } from 'kysely'
import type { TextTotals } from '../../search/store/audit-index.ts'
import type { Db } from '../../store/db.ts'
import { prepared } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { inSameSpace, ofPart } from './checked-part.repo.ts'
import { inScope } from './spaces.repo.ts'

/** Of a row of `passages`. */
const isStrayPassage = sql`not exists (select 1 from observations as o
  where ${inSameSpace('o', 'passages')} and o.id = passages.observation_id)`

/** Counts additional passages of observations that do not exist. */
export const countStrayPassages = ofPart<{ count: number }>(
  (within) => sql`select count(*) as count from passages where ${within('passages')} and ${isStrayPassage}`,
)

export async function deleteStrayPassages(db: Db, scope: Scope): Promise<void> {
  await sql`delete from passages where ${inScope(scope)} and ${isStrayPassage}`.execute(db)
}

/** Of a row of `vectors`. */
const isStrayVector = sql`not exists (select 1 from observations as o
    where ${inSameSpace('o', 'vectors')} and o.id = vectors.passage_id)
  and not exists (select 1 from passages as p
    where ${inSameSpace('p', 'vectors')} and p.id = vectors.passage_id)`

/** Counts vectors of passages that do not exist. */
export const countStrayVectors = ofPart<{ count: number }>(
  (within) => sql`select count(*) as count from vectors where ${within('vectors')} and ${isStrayVector}`,
)

export async function deleteStrayVectors(db: Db, scope: Scope): Promise<void> {
  await sql`delete from vectors where ${inScope(scope)} and ${isStrayVector}`.execute(db)
}

/** The search totals of a space. */
export async function getIndexTotals(db: Db, scope: Scope): Promise<TextTotals> {
  const [totals] = await selectIndexTotals(db, scope)
  return totals!
}

const selectIndexTotals = prepared((db: Db, scope: Scope) =>
  db.selectFrom('spaces').select(['passages', 'length']).where(isIn(scope)),
)
