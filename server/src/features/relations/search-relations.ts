import { setImmediate as nextTask } from 'node:timers/promises'
import type { ListRelationsQuery, Relation } from '@loci/contract/relations'
import { type Cursor, decodeCursor } from '../../ground/lib/cursors.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { compareCursors, mergePages } from '../../ground/lib/pages.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { countOfTypes, getCounters, listTypesInOrder } from '../../rows/counters.repo.ts'
import { findEntity } from '../../rows/entities.repo.ts'
import { findRelationsByNumber, listRelationRows, type RelationFilter } from '../../rows/relations.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findEntitiesContaining } from './find-named.ts'
import { countAmong, listKeysAt, type RelatedEntity, type RelationRowKey } from './relation-search.repo.ts'
import { type Asked, isInName, isInType, toAsked } from './relation-search.rules.ts'
import type { FoundRelations, RelationSearch } from './walk-relations.ts'
import { walkRelations } from './walk-relations.ts'

/** The search matches all relations that pass the other filters, since the filters' own values contain the text. */
export type Everything = 'everything'

/**
 * Relations where the name of an end, or the type, contains the query. For a few matching names, the newest relations
 * of each are merged, however many there are. For some thousands, all of their relations are read. Otherwise relations
 * are scanned, newest first.
 */
export async function searchRelations(
  ctx: Context,
  scope: Scope,
  query: ListRelationsQuery,
): Promise<FoundRelations | Everything> {
  const asked = toAsked(query.query)
  const types = query.relationTypes?.length ? [...new Set(query.relationTypes)] : undefined
  const askedTypes =
    types?.filter((type) => isInType(asked, type)) ?? (await listAskedTypes(ctx, scope, asked))
  if (asked.name === '' || types?.length === askedTypes.length) return 'everything'
  const stored = query.entityId === undefined ? undefined : await findEntity(ctx.db, scope, query.entityId)
  if (query.entityId !== undefined && (stored === undefined || isInName(asked, stored.name)))
    return 'everything'
  const entity = stored === undefined ? undefined : numberOf('ent', stored.id)
  const page = { cursor: decodeCursor('relations', query.cursor), limit: query.limit + 1 }
  const counters = await getCounters(ctx.db, scope)
  const search = { asked, askedTypes, types, entity, ...page, counters }
  const named = await findEntitiesContaining(ctx, scope, asked)
  if (named !== undefined && isOfNames(search, named)) return mergeOfNames(ctx, scope, search, named)
  if (named !== undefined && isSmall(search, named)) return readAll(ctx, scope, search, named)
  return walkRelations(ctx, scope, search, named)
}

const typesPerPage = 1_000

async function listAskedTypes(ctx: Context, scope: Scope, asked: Asked): Promise<string[]> {
  const found: string[] = []
  let after = ''
  for (;;) {
    const types = await listTypesInOrder(ctx.db, scope, 'relation', { after, limit: typesPerPage })
    for (const type of types) if (isInType(asked, type)) found.push(type)
    if (types.length < typesPerPage) return found
    after = types.at(-1)!
    await nextTask()
  }
}

const endsReadMax = 10_000
/** Cost of reading one end, in relations scanned. */
const walkedPerEnd = 4
const fewEnds = 500
const endsPerEntityMax = 1_000
const typesMergedMax = 20

/** Whether all relations of these names can be read; those of the types come from a separate index. */
function isSmall({ askedTypes, entity, counters }: RelationSearch, named: readonly RelatedEntity[]): boolean {
  const ends = named.reduce((sum, { degree }) => sum + degree, 0)
  return (
    ends <= Math.min(endsReadMax, Math.max(fewEnds, counters.relations / walkedPerEnd)) &&
    named.every(({ degree }) => degree <= endsPerEntityMax) &&
    askedTypes.length <= (entity === undefined ? typesMergedMax : 0)
  )
}

async function readAll(
  ctx: Context,
  scope: Scope,
  search: RelationSearch,
  named: readonly RelatedEntity[],
): Promise<FoundRelations> {
  const { askedTypes, cursor, limit } = search
  const keys = await readKeys(ctx, scope, search, named)
  const after = keys
    .map((key) => ({ id: key.id, at: key.createdAt }))
    .filter((place) => cursor === undefined || compareCursors(place, cursor) < 0)
    .sort((a, b) => compareCursors(b, a))
  const ids = after.slice(0, limit).map(({ id }) => id)
  const sources = [
    () => findRelationsByNumber(ctx.db, scope, ids),
    ...askedTypes.map((type) => () => listRelationRows(ctx.db, scope, { filter: { type }, cursor, limit })),
  ]
  const ofTypes = askedTypes.length === 0 ? 0 : await countOfTypes(ctx.db, scope, 'relation', askedTypes)
  return { relations: await mergePages(sources, limit, cursorOfRelation), total: keys.length + ofTypes }
}

/** Bounded because SQLite blocks our thread. */
const endsPerStatement = 1_000

/** The numbers of these entities, in parts with a bounded number of relation ends each. */
function partsOf(named: readonly RelatedEntity[]): number[][] {
  const parts: number[][] = []
  let room = 0
  for (const { id, degree } of named) {
    if (degree > room) {
      parts.push([])
      room = endsPerStatement
    }
    parts.at(-1)?.push(id)
    room -= degree
  }
  return parts
}

/** The relations of these entities that pass the filters, except those of the asked types. */
async function readKeys(
  ctx: Context,
  scope: Scope,
  { askedTypes, types, entity }: RelationSearch,
  named: readonly RelatedEntity[],
): Promise<RelationRowKey[]> {
  const wanted = types === undefined ? undefined : new Set(types)
  const counted = new Set(askedTypes)
  const found = new Map<number, RelationRowKey>()
  for (const ids of partsOf(named)) {
    await nextTask()
    for (const end of ['from_id', 'to_id'] as const) {
      for (const key of await listKeysAt(ctx.db, scope, end, ids)) {
        const isWanted = (wanted?.has(key.type) ?? true) && !counted.has(key.type)
        const isAtEntity = entity === undefined || key.fromId === entity || key.toId === entity
        if (isWanted && isAtEntity) found.set(key.id, key)
      }
    }
  }
  return [...found.values()]
}

const namesMergedMax = 5

/** Whether the results are exactly the relations of some names, which can have any number of them. */
function isOfNames({ askedTypes, types, entity }: RelationSearch, named: readonly RelatedEntity[]): boolean {
  const isPlain = types === undefined && entity === undefined
  return isPlain && askedTypes.length === 0 && named.length <= namesMergedMax
}

async function mergeOfNames(
  ctx: Context,
  scope: Scope,
  { cursor, limit }: RelationSearch,
  named: readonly RelatedEntity[],
): Promise<FoundRelations> {
  const filters = named.flatMap(({ id }): RelationFilter[] => [{ from: id }, { to: id }])
  const seen = new Set<string>()
  const sources = filters.map((filter) => async () => {
    const rows = await listRelationRows(ctx.db, scope, { filter, cursor, limit })
    // A relation between two of the names is in both lists.
    return rows.filter(({ id }) => !seen.has(id) && seen.add(id))
  })
  const ids = named.map(({ id }) => id)
  const ends = named.reduce((sum, { degree }) => sum + degree, 0)
  const total = ends - (await countAmong(ctx.db, scope, ids))
  return { relations: await mergePages(sources, limit, cursorOfRelation), total }
}

export const cursorOfRelation = (relation: Relation): Cursor => ({
  at: fromIso(relation.createdAt),
  id: numberOf('rel', relation.id),
})
