import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Records that these passages still need vectors although later passages have theirs. */
export async function noteVectorGaps(
  db: Db,
  { accountId, spaceId }: Scope,
  passageIds: readonly number[],
): Promise<void> {
  if (passageIds.length === 0) return
  const rows = passageIds.map((id) => ({ id }))
  await sql`insert into vector_gaps (account_id, space_id, passage_id)
    select a.account_id, ${spaceId}, late.id from accounts as a cross join ${dialectOf(db).rowsOf('late', rows)}
    where a.account_id = ${accountId}
    on conflict (account_id, space_id, passage_id) do nothing`.execute(db)
}

/** A passage as it was read: `since` is the change that began its observation's version. */
export type EmbeddedPassage = { id: number; observationId: number; since: number }

/**
 * After passages were given vectors: if an observation's version has changed since they were read, they
 * are gaps; otherwise they are not.
 */
export async function settleVectorGaps(
  db: Db,
  { accountId, spaceId }: Scope,
  passages: readonly EmbeddedPassage[],
): Promise<void> {
  const dialect = dialectOf(db)
  if (passages.length === 0) return
  const rows = passages.map(({ id, observationId, since }) => ({ id, observation: observationId, since }))
  const changed = sql`select o.account_id, o.space_id, seen.id from ${dialect.rowsOf('seen', rows)}
    join observations as o on o.account_id = ${accountId} and o.space_id = ${spaceId} and o.id = seen.observation
    where o.since <> seen.since`
  const ids = passages.map(({ id }) => id)
  await sql`delete from vector_gaps where account_id = ${accountId} and space_id = ${spaceId}
    and ${dialect.isOneOfNumbers('passage_id', ids)}`.execute(db)
  await sql`insert into vector_gaps (account_id, space_id, passage_id) ${changed}
    on conflict (account_id, space_id, passage_id) do nothing`.execute(db)
}

export async function deleteVectorGaps(db: Db, scope: Scope, passageIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('vector_gaps')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('passage_id', passageIds))
    .execute()
}

/** Resets the progress of vectors in a space whose passages are gone. */
export async function forgetProgress(db: Db, scope: Scope): Promise<void> {
  for (const table of ['vector_gaps', 'vector_spaces'] as const) {
    await db.deleteFrom(table).where(isIn(scope)).execute()
  }
}
