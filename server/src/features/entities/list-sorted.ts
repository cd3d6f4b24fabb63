import type { EntitiesResponse, EntitySort, ListEntitiesQuery } from '@loci/contract/entities'
import { cutAfter, decodeCursor, decodeTextCursor, encodeCursor } from '../../ground/lib/cursors.ts'
import { toId } from '../../ground/lib/ids.ts'
import { fromIso } from '../../ground/lib/time.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { countOfTypes, getCounters } from '../../rows/counters.repo.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import {
  findScanned,
  listKeysOfTypes,
  listSorted,
  listSortedOfTypes,
  type SortedKey,
  type SortedPage,
} from '../../rows/sorted-entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { withIncluded } from './with-included.ts'

/**
 * Up to this many entities of the requested types are sorted in memory; if there are more, the whole list is scanned
 * for them.
 */
const sortedHereMax = 1_000
/** Most rows scanned for one page of some types. */
const scannedMax = 10_000

type Sorted = { keys: SortedKey[]; next: SortedKey | undefined }

export const isAscendingOf = (sort: EntitySort, { order }: Pick<ListEntitiesQuery, 'order'>): boolean =>
  (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc'

/** A page of entities in one of the indexed orders. */
export async function listEntitiesSorted(
  ctx: Context,
  actor: Actor,
  query: ListEntitiesQuery,
  sort: EntitySort,
): Promise<EntitiesResponse> {
  const types = [...new Set(query.types ?? [])]
  const isAscending = isAscendingOf(sort, query)
  const list = `entities ${sort} ${isAscending ? 'asc' : 'desc'}`
  const page: SortedPage = {
    sort,
    isAscending,
    cursor: sort === 'name' ? decodeTextCursor(list, query.cursor) : decodeCursor(list, query.cursor),
    limit: query.limit,
  }
  const total =
    types.length === 0
      ? (await getCounters(ctx.db, actor)).entities
      : await countOfTypes(ctx.db, actor, 'entity', types)
  const { keys, next } = await findKeys(ctx, actor, page, types, total)
  const ids = keys.map(({ id }) => toId('ent', id))
  const found = new Map((await findEntitiesById(ctx.db, actor, ids)).map((entity) => [entity.id, entity]))
  const rows = ids.flatMap((id) => found.get(id) ?? [])
  const entities = await withIncluded(ctx, actor, rows, query)
  const keyOfRow = ({ id }: StoredEntity) => keys.find((key) => toId('ent', key.id) === id)!
  const cut = cutAfter(list, rows, entities, keyOfRow)
  return { entities, total, nextCursor: cut ?? (next === undefined ? null : encodeCursor(list, next)) }
}

async function findKeys(
  { db }: Context,
  actor: Actor,
  page: SortedPage,
  types: readonly string[],
  total: number,
): Promise<Sorted> {
  const { sort, limit } = page
  const oneMore = { ...page, limit: limit + 1 }
  if (types.length === 0) return cut(await listSorted(db, actor, oneMore), limit)
  if (total <= sortedHereMax) {
    const keys = await listKeysOfTypes(db, actor, { sort, types, limit: sortedHereMax })
    return cut(sortKeys(keys, page).slice(0, limit + 1), limit)
  }
  const found = await listSortedOfTypes(db, actor, { ...oneMore, types, scanned: scannedMax })
  if (found.length > limit) return cut(found, limit)
  return { keys: found, next: await findScanned(db, actor, { ...page, scanned: scannedMax }) }
}

function cut(keys: SortedKey[], limit: number): Sorted {
  return { keys: keys.slice(0, limit), next: keys.length > limit ? keys[limit - 1] : undefined }
}

/** Sorts the keys and returns those after the cursor. */
function sortKeys(keys: readonly SortedKey[], { cursor, isAscending }: SortedPage): SortedKey[] {
  const compare = (a: SortedKey, b: SortedKey) => (isAscending ? 1 : -1) * compareKeys(a, b)
  return keys.filter((key) => cursor === undefined || compare(key, cursor) > 0).sort(compare)
}

function compareKeys(a: SortedKey, b: SortedKey): number {
  if (a.at === b.at) return a.id - b.id
  return a.at < b.at ? -1 : 1
}

const keyOf = {
  newest: ({ createdAt }: StoredEntity) => fromIso(createdAt),
  changed: ({ updatedAt }: StoredEntity) => fromIso(updatedAt),
  connected: ({ degree }: StoredEntity) => degree,
  facts: ({ observationsCount }: StoredEntity) => observationsCount,
  name: ({ name }: StoredEntity) => name.toLowerCase(),
} as const

/** Search results in an order other than best first. */
export function sortFound(
  entities: readonly StoredEntity[],
  sort: EntitySort,
  query: Pick<ListEntitiesQuery, 'order'>,
): StoredEntity[] {
  const sign = isAscendingOf(sort, query) ? 1 : -1
  const keys = new Map(entities.map((entity) => [entity.id, keyOf[sort](entity)]))
  return entities.toSorted((a, b) => {
    const [first, second] = [keys.get(a.id)!, keys.get(b.id)!]
    return first === second ? 0 : sign * (first < second ? -1 : 1)
  })
}
