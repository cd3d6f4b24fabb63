import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import { pagesById } from '../../ground/lib/all-pages.ts'
import { numberOf, numbersOf } from '../../ground/lib/ids.ts'
import { toShownObservation } from '../../rows/codec.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import {
  findLastId,
  getNextNumber,
  listExportedEntities,
  listExportedObservations,
  listExportedObservationsOf,
  listExportedRelations,
} from './exports.repo.ts'
import type { GraphSource, Pages } from './graph-source.ts'

/** Each may have 64 KiB of text and of metadata. */
const entitiesPerPage = 100
const relationsPerPage = 1_000
const observationsPerPage = 100

/**
 * The graph as it is, or those entities of it that are chosen, without a lock. Holds all that was stored at the start and
 * was not deleted since, each entity and relation as it is when it is read, and no relation without both its ends.
 */
export async function liveGraph(
  ctx: Context,
  actor: Actor,
  chosen: readonly number[] | undefined,
): Promise<GraphSource> {
  // The last relation is looked up first: its ends are older than it, and so among the entities.
  const lastRelation = await findLastId(ctx.db, actor, 'relations')
  const lastEntity = await findLastId(ctx.db, actor, 'entities')
  const entityPages = () =>
    pagesById(
      entitiesPerPage,
      (page) => listExportedEntities(ctx.db, actor, { ...page, upTo: lastEntity, chosen }),
      ({ id }) => numberOf('ent', id),
    )
  const relationPages = (fromId?: string) =>
    pagesById(
      relationsPerPage,
      (page) =>
        listExportedRelations(ctx.db, actor, {
          ...{ ...page, upTo: lastRelation, chosen },
          ...(fromId === undefined ? {} : { fromId: numberOf('ent', fromId) }),
        }),
      ({ id }) => numberOf('rel', id),
    )
  return {
    at: ctx.now(),
    nextNumber: await getNextNumber(ctx.db, actor),
    entityPages,
    async *entities() {
      for await (const page of entityPages()) yield* withObservations(ctx, actor, page)
    },
    relations: () => flat(relationPages()),
    relationsFrom: (entityId) => flat(relationPages(entityId)),
  }
}

async function* flat<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T, void> {
  for await (const page of pages) yield* page
}

/** Observations of entities with few are read together, of those with many page by page. */
async function* withObservations(
  ctx: Context,
  actor: Actor,
  entities: readonly Entity[],
): AsyncGenerator<[Entity, Pages], void> {
  for (const group of groupsOf(entities)) {
    const [first] = group
    if (first !== undefined && first.observationsCount > observationsPerPage) {
      yield [first, observationsOf(ctx, actor, first.id)]
      continue
    }
    const rows = await listExportedObservations(
      ctx.db,
      actor,
      numbersOf(
        'ent',
        group.map(({ id }) => id),
      ),
    )
    const byEntity = Map.groupBy(rows, (row) => row.entityId)
    for (const entity of group)
      yield [entity, onePage((byEntity.get(entity.id) ?? []).map(toShownObservation))]
  }
}

/** Neighbours who together have at most a page of observations; an entity with more is alone. */
function groupsOf(entities: readonly Entity[]): Entity[][] {
  const groups: Entity[][] = []
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

async function* onePage(page: Observation[]): Pages {
  yield page
}

async function* observationsOf(ctx: Context, actor: Actor, entityId: string): Pages {
  let isEmpty = true
  const pages = pagesById(
    observationsPerPage,
    (page) => listExportedObservationsOf(ctx.db, actor, numberOf('ent', entityId), page),
    ({ id }) => numberOf('obs', id),
  )
  for await (const page of pages) {
    isEmpty = false
    yield page
  }
  if (isEmpty) yield []
}
