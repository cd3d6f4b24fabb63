import type { EntitiesResponse, EntitySort, ListEntitiesQuery } from '@loci/contract/entities'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { countOfTypes, getCounters } from '../../graph/counters.repo.ts'
import { findEntitiesById, type StoredEntity } from '../../graph/entities.repo.ts'
import {
  findScanned,
  listKeysOfTypes,
  listSorted,
  listSortedOfTypes,
  type SortedKey,
  type SortedPage,
} from '../../graph/sorted-entities.repo.ts'
import { decodeSortCursor, encodeSortCursor } from '../../lib/cursors.ts'
import { toId } from '../../lib/ids.ts'
import { fromIso } from '../../lib/time.ts'
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
  const page: SortedPage = {
    sort,
    isAscending: isAscendingOf(sort, query),
    cursor: decodeSortCursor(query.cursor, sort === 'name' ? 'string' : 'number'),
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
  return {
    entities: await withIncluded(ctx, actor, rows, query.include),
    total,
    nextCursor: next === undefined ? null : encodeSortCursor(next),
  }
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
