import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import type { Scope } from '../scope.ts'

/** Notes that these passages wait for vectors though those after them have theirs. */
export async function noteVectorGaps(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  passageIds: readonly number[],
): Promise<void> {
  if (passageIds.length === 0) return
  await sql`insert into vector_gaps (account_id, space_id, passage_id)
    select account_id, space_id, id from passages
    where account_id = ${accountId} and space_id = ${spaceId} and ${dialect.isOneOfNumbers('id', passageIds)}
    on conflict (account_id, space_id, passage_id) do nothing`.execute(db)
}

/** What was read of a passage: one that is indexed anew gets another ordinal. */
export type ReadPassage = { id: number; ordinal: number }

/**
 * Of passages that have been given vectors: those that were indexed anew since they were read are gaps, the others are
 * none.
 */
export async function settleVectorGaps(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  passages: readonly ReadPassage[],
): Promise<void> {
  if (passages.length === 0) return
  const rows = passages.map(({ id, ordinal }) => ({ id, ordinal }))
  const changed = sql`select p.account_id, p.space_id, p.id from ${dialect.rowsOf('seen', rows)}
    join passages as p on p.account_id = ${accountId} and p.space_id = ${spaceId} and p.id = seen.id
    where p.ordinal <> seen.ordinal`
  const ids = passages.map(({ id }) => id)
  await sql`delete from vector_gaps where account_id = ${accountId} and space_id = ${spaceId}
    and ${dialect.isOneOfNumbers('passage_id', ids)}`.execute(db)
  await sql`insert into vector_gaps (account_id, space_id, passage_id) ${changed}
    on conflict (account_id, space_id, passage_id) do nothing`.execute(db)
}

export async function deleteVectorGaps(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  passageIds: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('vector_gaps')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where(dialect.isOneOfNumbers('passage_id', passageIds))
    .execute()
}

/** Says that a space, whose passages are gone, has come to no vectors. */
export async function forgetProgress(db: Db, { accountId, spaceId }: Scope): Promise<void> {
  for (const table of ['vector_gaps', 'vector_spaces'] as const) {
    await db.deleteFrom(table).where('account_id', '=', accountId).where('space_id', '=', spaceId).execute()
  }
}
