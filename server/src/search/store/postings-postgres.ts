import { breathe } from '../../ground/lib/turns.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { createPacker } from './packed-ids.ts'
import { addToBlocks, clearBlocks, removeFromBlocks, removeSomeBlocks } from './posting-blocks.ts'
import { addRows, deletePostingRows, findSpaceOfRows, removeSomeRows, takeRows } from './posting-rows.ts'
import { listTerms, type PostedPassage, type Postings } from './postings.ts'
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
  readWhole: async () => undefined,
  // Autovacuum maintains the B-trees.
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
