import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { firstRows } from '../../store/first-rows.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listTerms, type PostedPassage, type PostedRow } from './postings.ts'

const isIn = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`
const key = ['term', 'passage_id']

/** Selects from `accounts` for the same reason as `appendToBlocks`. */
export async function addRows(
  db: Db,
  { accountId, spaceId }: Scope,
  passages: readonly PostedPassage[],
): Promise<void> {
  const { terms, ids } = toColumns(passages)
  await sql`insert into postings (account_id, space_id, term, passage_id)
    select account_id, ${spaceId}::int, term, passage_id
    from accounts cross join unnest(${terms}::text[], ${ids}::bigint[]) as t (term, passage_id)
    where account_id = ${accountId}`.execute(db)
}

/** Returns whether all of the rows existed. */
export async function deletePostingRows(
  db: Db,
  scope: Scope,
  passages: readonly PostedPassage[],
): Promise<boolean> {
  const { terms, ids } = toColumns(passages)
  if (terms.length === 0) return true
  const { numAffectedRows = 0n } =
    await sql`delete from postings using unnest(${terms}::text[], ${ids}::bigint[]) as t (gone, id)
      where ${isIn(scope)} and term = gone and passage_id = id`.execute(db)
  return Number(numAffectedRows) === terms.length
}

/** Removes rows of passages up to `upTo`, at most `limit`; returns whether there may be more. */
export async function removeSomeRows(db: Db, scope: Scope, upTo: number, limit: number): Promise<boolean> {
  const old = sql`${isIn(scope)} and passage_id <= ${upTo}`
  const { numAffectedRows = 0n } =
    await sql`delete from postings where ${old} and ${firstRows('postings', key, old, limit)}`.execute(db)
  return Number(numAffectedRows) === limit
}

/** Deletes up to `limit` rows after `after` in the order of terms, and returns them in that order. */
export async function takeRows(
  db: Db,
  scope: Scope,
  after: PostedRow | undefined,
  limit: number,
): Promise<PostedRow[]> {
  const next = sql`${isIn(scope)}
    and (term, passage_id) > (${after?.term ?? ''}::text, ${after?.id ?? 0}::bigint)`
  const { rows } = await sql<PostedRow>`with taken as (
      delete from postings where ${next} and ${firstRows('postings', key, next, limit)} returning term, passage_id
    ) select term, passage_id as id from taken order by term, passage_id`.execute(db)
  return rows
}

/** The next space that has rows, found with one index look-up. */
export async function findSpaceOfRows(db: Db, after: Scope): Promise<Scope | undefined> {
  const { rows } = await sql<Scope>`select account_id as "accountId", space_id as "spaceId" from postings
    where (account_id, space_id) > (${after.accountId}::bigint, ${after.spaceId}::int)
    order by account_id, space_id limit 1`.execute(db)
  return rows[0]
}

function toColumns(passages: readonly PostedPassage[]) {
  const terms: string[] = []
  const ids: number[] = []
  for (const passage of passages) {
    for (const term of new Set(listTerms(passage.terms))) {
      terms.push(term)
      ids.push(passage.id)
    }
  }
  return { terms, ids }
}
