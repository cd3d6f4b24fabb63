import { sql } from 'kysely'
import { breathe } from '../../ground/lib/pace.ts'
import type { Db } from '../../store/db.ts'
import { firstRows } from '../../store/first-rows.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { createPacker } from './packed-ids.ts'
import { addToBlocks, clearBlocks, removeFromBlocks, removeSomeBlocks } from './posting-blocks.ts'
import { listTerms, type PostedPassage, type PostedRow, type Postings } from './postings.ts'
import { readBelow, readBetween, readStarting } from './read-postings.ts'

/** From this many passages at once, postings go to blocks; below, to rows, which are faster for a single write. */
const passagesOfBlocks = 100
const postingsPerSlice = 5_000
const blocksPerSlice = 500
/** Ids have 32 bits. */
const afterAllIds = 2 ** 32

/**
 * Plain tables, since `tsvector` keeps no frequencies over the whole space, which ranking needs most. A posting is
 * either a row of `postings`, written by single writes, or two bytes of `posting_blocks`, where bulk writes go at
 * once and rows are moved later. One statement reads both, and each move is one transaction.
 */
export const postgresPostings: Postings = {
  async add(db, scope, passages) {
    const all = [...passages]
    if (all.length < passagesOfBlocks) return addRows(db, scope, all)
    await addToBlocks(db, scope, await packPassages(all))
  },
  async remove(db, scope, passages) {
    const isAll = await deletePostingRows(db, scope, passages)
    if (!isAll) await removeFromBlocks(db, scope, await packPassages(passages))
  },
  removesByTerms: true,
  async clear(db, scope, upTo) {
    const isMore = await removeSomeRows(db, scope, upTo, postingsPerSlice)
    return (await clearBlocks(db, scope, upTo, blocksPerSlice)) || isMore
  },
  removeAll: removeSpace,
  removeSpace,
  removeIds: async () => {},
  readNewest: (db, scope, terms, limit) =>
    readBelow(
      db,
      scope,
      terms.map((term) => ({ term, below: afterAllIds, limit })),
    ),
  readOlder: readBelow,
  readStarting,
  readBetween,
  readDigests: async () => undefined,
  // Autovacuum maintains the B-trees.
  // Vacuum frees what was removed.
  purge: async () => false,
  settle: async () => false,
  findUnfolded: findSpaceOfRows,
  async fold(tx, scope, after) {
    const rows = await takeRows(tx, scope, after, postingsPerSlice)
    const packer = createPacker()
    for (const { term, id } of rows) packer.add(term, id)
    await addToBlocks(tx, scope, packer.pack())
    return rows.length < postingsPerSlice ? undefined : rows.at(-1)
  },
}

async function packPassages(passages: readonly PostedPassage[]) {
  const packer = createPacker()
  for (const { id, terms } of passages) {
    await breathe()
    for (const term of listTerms(terms)) packer.add(term, id)
  }
  return packer.pack()
}

async function removeSpace(db: Db, scope: Scope, limit: number): Promise<boolean> {
  const isMore = await removeSomeRows(db, scope, Number.MAX_SAFE_INTEGER, limit)
  return (await removeSomeBlocks(db, scope, limit)) || isMore
}

const isIn = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`
const key = ['term', 'passage_id']

/** Selects from `accounts` for the same reason as `appendToBlocks`. */
async function addRows(
  db: Db,
  { accountId, spaceId }: Scope,
  passages: readonly PostedPassage[],
): Promise<void> {
  const { terms, ids } = toColumns(passages)
  if (terms.length === 0) return
  await sql`insert into postings (account_id, space_id, term, passage_id)
    select account_id, ${spaceId}::int, term, passage_id
    from accounts cross join unnest(${terms}::text[], ${ids}::bigint[]) as t (term, passage_id)
    where account_id = ${accountId}`.execute(db)
}

/** Returns whether all of the rows existed. */
async function deletePostingRows(db: Db, scope: Scope, passages: readonly PostedPassage[]): Promise<boolean> {
  const { terms, ids } = toColumns(passages)
  if (terms.length === 0) return true
  const { numAffectedRows = 0n } =
    await sql`delete from postings using unnest(${terms}::text[], ${ids}::bigint[]) as t (gone, id)
      where ${isIn(scope)} and term = gone and passage_id = id`.execute(db)
  return Number(numAffectedRows) === terms.length
}

/** Removes rows of passages up to `upTo`, at most `limit`; returns whether there may be more. */
async function removeSomeRows(db: Db, scope: Scope, upTo: number, limit: number): Promise<boolean> {
  const old = sql`${isIn(scope)} and passage_id <= ${upTo}`
  const { numAffectedRows = 0n } =
    await sql`delete from postings where ${old} and ${firstRows('postings', key, old, limit)}`.execute(db)
  return Number(numAffectedRows) === limit
}

/** Deletes up to `limit` rows after `after` in the order of terms, and returns them in that order. */
async function takeRows(
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
async function findSpaceOfRows(db: Db, after: Scope): Promise<Scope | undefined> {
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
