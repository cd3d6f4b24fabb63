import { sql } from 'kysely'
import type { Scope } from '../scope.ts'
import type { Db } from './db.ts'
import { listTerms, type PostedPassage, type PostedRow } from './postings.ts'

const isIn = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

export async function addRows(
  db: Db,
  { accountId, spaceId }: Scope,
  passages: readonly PostedPassage[],
): Promise<void> {
  const { terms, ids } = toColumns(passages)
  await sql`insert into postings (account_id, space_id, term, passage_id)
    select ${accountId}, ${spaceId}, term, id from unnest(${terms}::text[], ${ids}::bigint[]) as t (term, id)
  `.execute(db)
}

/** Answers whether all of it was there. */
export async function deleteRows(db: Db, scope: Scope, passages: readonly PostedPassage[]): Promise<boolean> {
  const { terms, ids } = toColumns(passages)
  if (terms.length === 0) return true
  const { numAffectedRows = 0n } =
    await sql`delete from postings using unnest(${terms}::text[], ${ids}::bigint[]) as t (gone, id)
      where ${isIn(scope)} and term = gone and passage_id = id`.execute(db)
  return Number(numAffectedRows) === terms.length
}

/** Removes rows of passages up to `upTo`, at most `limit`; answers whether there may be more. */
export async function removeSomeRows(db: Db, scope: Scope, upTo: number, limit: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from postings where ${isIn(scope)}
    and (term, passage_id) in (select term, passage_id from postings
      where ${isIn(scope)} and passage_id <= ${upTo} limit ${limit})`.execute(db)
  return Number(numAffectedRows) === limit
}

/** Deletes the next rows after `after` in the order of terms, at most `limit`, and answers them in this order. */
export async function takeRows(
  db: Db,
  scope: Scope,
  after: PostedRow | undefined,
  limit: number,
): Promise<PostedRow[]> {
  const { rows } = await sql<PostedRow>`with taken as (
      delete from postings where ${isIn(scope)} and (term, passage_id) in (
        select term, passage_id from postings
        where ${isIn(scope)} and (term, passage_id) > (${after?.term ?? ''}::text, ${after?.id ?? 0}::bigint)
        order by term, passage_id limit ${limit}
      ) returning term, passage_id
    ) select term, passage_id as id from taken order by term, passage_id`.execute(db)
  return rows
}

/** The next spaces that have rows, at most `limit`: each is looked up after the one before it. */
export async function listSpacesOfRows(db: Db, after: Scope, limit: number): Promise<Scope[]> {
  const { rows } = await sql<Scope>`with recursive found (account_id, space_id, place) as (
      select ${after.accountId}::bigint, ${after.spaceId}::int, 0
      union all
      select next.account_id, next.space_id, place + 1 from found cross join lateral (
        select account_id, space_id from postings
        where (postings.account_id, postings.space_id) > (found.account_id, found.space_id)
        order by account_id, space_id limit 1
      ) as next where place < ${limit}
    ) select account_id as "accountId", space_id as "spaceId" from found where place > 0`.execute(db)
  return rows
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
