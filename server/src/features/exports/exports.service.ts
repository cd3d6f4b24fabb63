import type { ExportFormat } from '@loci/contract/imports'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { numbersOf } from '../../graph/numbers-of.ts'
import { joinPieces } from '../../lib/join-pieces.ts'
import { pagesById } from '../../lib/pages-by-id.ts'
import {
  type ExportedEntity,
  type ExportedObservation,
  findLastId,
  getNextNumber,
  listExportedEntities,
  listExportedObservations,
  listExportedObservationsOf,
  listExportedRelations,
} from './exports.repo.ts'
import { lineFormats, type Pages } from './line-formats.ts'

const entitiesPerPage = 500
const relationsPerPage = 1_000
const observationsPerPage = 500
const pieceLength = 64 * 1024

/**
 * The graph as JSON lines, or those entities of it that are chosen, in bounded memory and without a lock. Holds all that was stored at the start and was not
 * deleted since, each entity and relation as it is when its line is written, and no relation without both its ends.
 */
export function exportGraph(
  ctx: Context,
  actor: Actor,
  format: ExportFormat,
  ids?: readonly string[],
): AsyncGenerator<string, void> {
  const chosen = ids && numbersOf('ent', ids)
  return joinPieces(writeLines(ctx, actor, format, chosen), pieceLength)
}

async function* writeLines(
  ctx: Context,
  actor: Actor,
  format: ExportFormat,
  chosen: readonly number[] | undefined,
): AsyncGenerator<string, void> {
  const { header, entity, relation } = lineFormats[format]
  // The last relation is looked up first: its ends are older than it, and so among the entities.
  const lastRelation = await findLastId(ctx.db, actor, 'relations')
  const lastEntity = await findLastId(ctx.db, actor, 'entities')
  yield header(ctx.now(), await getNextNumber(ctx.db, actor))
  const entities = pagesById(
    entitiesPerPage,
    (page) => listExportedEntities(ctx.db, actor, { ...page, upTo: lastEntity, chosen }),
    ({ id }) => id,
  )
  for await (const page of entities) {
    for await (const [row, observations] of withObservations(ctx, actor, page))
      yield* entity(row, observations)
  }
  const relations = pagesById(
    relationsPerPage,
    (page) => listExportedRelations(ctx.db, actor, { ...page, upTo: lastRelation, chosen }),
    ({ id }) => id,
  )
  for await (const page of relations) yield page.map(relation).join('')
}

/** Observations of entities with few are read together, of those with many page by page. */
async function* withObservations(
  ctx: Context,
  actor: Actor,
  entities: readonly ExportedEntity[],
): AsyncGenerator<[ExportedEntity, Pages], void> {
  for (const group of groupsOf(entities)) {
    const [first] = group
    if (first !== undefined && first.observationsCount > observationsPerPage) {
      yield [first, observationsOf(ctx, actor, first.id)]
      continue
    }
    const rows = await listExportedObservations(
      ctx.db,
      actor,
      group.map(({ id }) => id),
    )
    const byEntity = Map.groupBy(rows, (row) => row.entityId)
    for (const entity of group) yield [entity, onePage(byEntity.get(entity.id) ?? [])]
  }
}

/** Neighbours who together have at most a page of observations; an entity with more is alone. */
function groupsOf(entities: readonly ExportedEntity[]): ExportedEntity[][] {
  const groups: ExportedEntity[][] = []
  let room = -1
  for (const entity of entities) {
    const { observationsCount } = entity
    if (observationsCount > room) {
      groups.push([])
      room = observationsPerPage
    }
    groups.at(-1)!.push(entity)
    room = observationsCount > observationsPerPage ? -1 : room - observationsCount
  }
  return groups
}

async function* onePage(page: ExportedObservation[]): Pages {
  yield page
}

async function* observationsOf(ctx: Context, actor: Actor, entityId: number): Pages {
  let isEmpty = true
  const pages = pagesById(
    observationsPerPage,
    (page) => listExportedObservationsOf(ctx.db, actor, entityId, page),
    ({ id }) => id,
  )
  for await (const page of pages) {
    isEmpty = false
    yield page
  }
  if (isEmpty) yield []
}
