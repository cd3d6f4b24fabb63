import { setImmediate as nextTask } from 'node:timers/promises'
import type { Relation } from '@loci/contract/relations'
import type { Cursor } from '../../ground/lib/cursors.ts'
import { compareCursors } from '../../ground/lib/pages.ts'
import { type Counters, getCounters } from '../../rows/counters.repo.ts'
import { findRelationsByNumber, type RelationFilter } from '../../rows/relations.repo.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { createNameTest, type NameTest } from './find-named.ts'
import { type RelatedEntity, type RelationStretch, readRelations } from './relation-search.repo.ts'
import type { Asked } from './relation-search.rules.ts'

/** Newest first, at most `limit`. */
export type FoundRelations = { relations: Relation[]; total: number }

/** A search in a space, and which page of it is wanted. */
export type RelationSearch = {
  asked: Asked
  /** Types that contain the text; limited to `types`, if given. */
  askedTypes: string[]
  /** Only relations of these types. */
  types: string[] | undefined
  entity: number | undefined
  cursor: Cursor | undefined
  /** One more than the page size. */
  limit: number
  counters: Counters
}

/** About two milliseconds of SQLite, which blocks our thread; fewer if they are likely to fill a page. */
const relationsPerCount = 1_000
const relationsPerPage = 250
/** Maximum number of relations scanned for the count; filling a page has no limit. */
const countedMax = 200_000

/**
 * Scans relations, newest first, for the text in their type or the names of their ends, until the page is full. Scans
 * on to count them, unless they were counted since the space last changed.
 */
export async function walkRelations(
  ctx: Context,
  scope: Scope,
  search: RelationSearch,
  named: readonly RelatedEntity[] | undefined,
): Promise<FoundRelations> {
  const ids = named && new Set(named.map(({ id }) => id))
  const key = keyOf(scope, search)
  const counted = findCount(ctx.dialect, key)
  const isNamed = ids ? async () => ids : createNameTest(ctx, scope, search, counted === undefined)
  const places: Cursor[] = []
  let total = 0
  for (const filter of filtersOf(search)) {
    const walk: Walk = { ctx, scope, search, filter, isNamed, isCounting: counted === undefined }
    const found = await walkOne(walk)
    places.push(...found.places)
    total += found.count
  }
  if (counted === undefined && (await getCounters(ctx.db, scope)).seq === search.counters.seq) {
    rememberCount(ctx.dialect, key, total)
  }
  places.sort((a, b) => compareCursors(b, a))
  const page = places.slice(0, search.limit).map(({ id }) => id)
  return {
    relations: await findRelationsByNumber(ctx.db, scope, page),
    total: counted ?? total,
  }
}

const keyOf = ({ accountId, spaceId }: Scope, { asked, types, entity, counters }: RelationSearch) =>
  JSON.stringify([accountId, spaceId, counters.seq, asked, types, entity])

/** Each filter has its own index. */
function filtersOf({ entity, types }: RelationSearch): RelationFilter[] {
  if (entity !== undefined) return [{ from: entity }, { to: entity }]
  return types?.map((type) => ({ type })) ?? [{}]
}

type Walk = {
  ctx: Context
  scope: Scope
  search: RelationSearch
  filter: RelationFilter
  isNamed: NameTest
  isCounting: boolean
}

/** The places of the page's relations in one list, and the number of matches in the list. */
async function walkOne(walk: Walk): Promise<{ places: Cursor[]; count: number }> {
  const { search, isCounting } = walk
  const places: Cursor[] = []
  let count = 0
  let looked = 0
  let cursor = isCounting ? undefined : search.cursor
  for (;;) {
    const isFull = places.length >= search.limit
    if (isFull && (!isCounting || looked >= countedMax)) return { places, count }
    const stretch = await readStretch(walk, cursor, !isFull)
    const matches = await listMatches(walk, stretch)
    if (looked < countedMax) count += matches.length
    if (!isFull) places.push(...matches.map((i) => stretch.places[i]!).filter(isAfter(search.cursor)))
    looked += stretch.fromIds.length
    if (stretch.fromIds.length < stretchOf(walk)) return { places: places.slice(0, search.limit), count }
    cursor = stretch.last
    await nextTask()
  }
}

const isAfter = (cursor: Cursor | undefined) => (place: Cursor) =>
  cursor === undefined || compareCursors(place, cursor) < 0

const stretchOf = ({ isCounting }: Walk) => (isCounting ? relationsPerCount : relationsPerPage)

function readStretch(walk: Walk, cursor: Cursor | undefined, withPlaces: boolean) {
  const { ctx, scope, search, filter } = walk
  const { askedTypes, entity } = search
  const types = entity === undefined ? undefined : search.types
  const limit = stretchOf(walk)
  return readRelations(ctx.db, scope, { filter, types, askedTypes, cursor, limit, withPlaces })
}

/** The indices of matching relations in a section. */
async function listMatches({ filter, isNamed }: Walk, stretch: RelationStretch): Promise<number[]> {
  const { fromIds, toIds, isOfType } = stretch
  const named = await isNamed(fromIds, toIds)
  const matches: number[] = []
  for (let i = 0; i < fromIds.length; i += 1) {
    // An entity's relation to itself is in its other list.
    if (filter.to !== undefined && fromIds[i] === filter.to) continue
    if (isOfType[i] === '1' || named.has(fromIds[i]!) || named.has(toIds[i]!)) matches.push(i)
  }
  return matches
}

const countsKeptMax = 1_000
const countsOf = new WeakMap<Dialect, Map<string, number>>()

/**
 * Caches how many relations a search finds. `key` includes the number of the space's newest change, so that a change
 * invalidates the count; the oldest counts are evicted.
 */
function rememberCount(dialect: Dialect, key: string, count: number): void {
  let counts = countsOf.get(dialect)
  if (counts === undefined) {
    counts = new Map()
    countsOf.set(dialect, counts)
  }
  counts.set(key, count)
  if (counts.size > countsKeptMax) counts.delete(counts.keys().next().value!)
}

const findCount = (dialect: Dialect, key: string): number | undefined => countsOf.get(dialect)?.get(key)
