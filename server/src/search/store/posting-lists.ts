import type { Dialect } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import { estimateOrdinals } from './index-marks.repo.ts'
import type { Postings } from './postings.ts'
import { postgresPostings } from './postings-postgres.ts'
import { sqlitePostings } from './postings-sqlite.ts'
import type { IndexedSpace } from './search-index.repo.ts'

/** The inverted index of search on this database. */
export const postingsOf = ({ name }: Pick<Dialect, 'name'>): Postings =>
  name === 'sqlite' ? sqlitePostings : postgresPostings

/** The newest passages that contain a term. */
export type PostingList = {
  ids: Uint32Array
  /** Number of passages with the term; estimated from the newest if older ones were not read. */
  count: number
  isCut: boolean
}

export type PostingLists = Map<string, PostingList>

/** The part of the context that the index needs: the database, or the transaction of a write. */
export type Index = Pick<Context, 'db' | 'dialect'>
type PostedSpace = Pick<IndexedSpace, 'accountId' | 'spaceId' | 'nextOrdinal' | 'memory'>

/** Reads at most `limit` passages per term; terms without any are left out. */
export async function readLists(
  index: Index,
  space: PostedSpace,
  terms: Iterable<string>,
  limit: number,
): Promise<PostingLists> {
  const asked = [...new Set(terms)]
  if (asked.length === 0) return new Map()
  const posted =
    space.memory?.readNewest(asked, limit) ??
    (await postingsOf(index.dialect).readNewest(index.db, space, asked, limit))
  return toLists(
    index,
    space,
    posted.map(({ term, ids }) => ({ term, ids, limit })),
  )
}

/**
 * Continues reading truncated lists of these terms, the shortest first, until `budget` more passages
 * are read.
 */
export async function readOn(
  index: Index,
  space: PostedSpace,
  lists: PostingLists,
  terms: Iterable<string>,
  budget: number,
): Promise<void> {
  const cut = [...new Set(terms)].flatMap((term) => {
    const list = lists.get(term)
    return list?.isCut ? [{ term, list }] : []
  })
  let left = budget
  const asked = cut
    .sort((a, b) => a.list.count - b.list.count)
    .map(({ term, list: { ids, count } }) => {
      const limit = Math.min(count - ids.length + 1, left)
      left -= limit
      return { term, below: ids.at(-1)!, limit }
    })
    .filter(({ limit }) => limit > 0)
  if (asked.length === 0) return
  const { db, dialect } = index
  const older = space.memory?.readOlder(asked) ?? (await postingsOf(dialect).readOlder(db, space, asked))
  const olderOf = new Map(older.map(({ term, ids }) => [term, ids]))
  const longer = asked.map(({ term, limit }): ReadList => {
    const { ids } = lists.get(term)!
    const more = olderOf.get(term)
    return { term, ids: more === undefined ? ids : joined(ids, more), limit: ids.length + limit }
  })
  for (const [term, list] of await toLists(index, space, longer)) lists.set(term, list)
}

type ReadList = { term: string; ids: Uint32Array; limit: number }

/**
 * Truncated lists are extrapolated from the density of the newest passages among everything stored
 * since the oldest read.
 */
async function toLists({ db }: Index, space: PostedSpace, read: readonly ReadList[]): Promise<PostingLists> {
  const isCut = ({ ids, limit }: ReadList) => ids.length >= limit
  const oldest = read.filter(isCut).flatMap(({ ids }) => ids.at(-1) ?? [])
  const ordinals = await estimateOrdinals(db, space, oldest)
  const countOf = ({ ids }: ReadList) => {
    const density = ids.length / Math.max(1, space.nextOrdinal - (ordinals.get(ids.at(-1) ?? 0) ?? 0))
    return Math.round(density * space.nextOrdinal)
  }
  return new Map(
    read.map((list) => {
      const { term, ids } = list
      return [term, { ids, count: isCut(list) ? countOf(list) : ids.length, isCut: isCut(list) }]
    }),
  )
}

function joined(ids: Uint32Array, more: Uint32Array): Uint32Array {
  const all = new Uint32Array(ids.length + more.length)
  all.set(ids)
  all.set(more, ids.length)
  return all
}

export type WeightedList = { ids: Uint32Array; weight: number }

/** The passages with the highest total weight of terms, best first; the newest first on a tie. */
export function pickHeaviest(lists: readonly WeightedList[], limit: number): number[] {
  const { ids, sums } = sumUp(lists)
  const least = limit > ids.length ? 0 : kthLargest(sums, limit)
  const heavier: { id: number; sum: number }[] = []
  // Thousands of passages can share the lowest weight: only the newest of them matter.
  const lightest: number[] = []
  for (let i = 0; i < ids.length; i += 1) {
    if (sums[i]! > least) heavier.push({ id: ids[i]!, sum: sums[i]! })
    else if (sums[i] === least) lightest.push(ids[i]!)
  }
  heavier.sort((a, b) => b.sum - a.sum || b.id - a.id)
  const newest = Uint32Array.from(lightest).sort().reverse()
  return [...heavier.map(({ id }) => id), ...newest.subarray(0, limit - heavier.length)]
}

/** The smallest of the `k` largest values, with a heap of that size: of thousands of sums, few enter it. */
function kthLargest(values: Float64Array, k: number): number {
  const heap = values.slice(0, k).sort()
  for (let i = k; i < values.length; i += 1) {
    const value = values[i]!
    if (value <= heap[0]!) continue
    let at = 0
    for (let child = 1; child < k; child = at * 2 + 1) {
      if (child + 1 < k && heap[child + 1]! < heap[child]!) child += 1
      if (heap[child]! >= value) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
  return heap[0] ?? 0
}

const goldenRatio = 0x9e3779b1

/** Weights by passage, in a hash table with open addressing: a `Map` takes five times as long. */
function sumUp(lists: readonly WeightedList[]): { ids: Uint32Array; sums: Float64Array } {
  const read = lists.reduce((sum, { ids }) => sum + ids.length, 0)
  const bits = Math.max(1, Math.ceil(Math.log2(read * 2 + 1)))
  const slots = new Uint32Array(2 ** bits)
  const ids = new Uint32Array(read)
  const sums = new Float64Array(read)
  let found = 0
  for (const list of lists) {
    for (const id of list.ids) {
      let slot = Math.imul(id, goldenRatio) >>> (32 - bits)
      while (slots[slot] !== 0 && ids[slots[slot]! - 1] !== id) slot = (slot + 1) & (slots.length - 1)
      if (slots[slot] === 0) {
        ids[found] = id
        found += 1
        slots[slot] = found
      }
      sums[slots[slot]! - 1]! += list.weight
    }
  }
  return { ids: ids.subarray(0, found), sums: sums.subarray(0, found) }
}
