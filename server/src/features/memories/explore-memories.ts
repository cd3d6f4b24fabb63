import type { GraphData } from '@loci/contract/graph'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { listObservations } from '../../graph/observations.repo.ts'
import { getNeighbourhood, getShortestPath } from '../graphs/graphs.service.ts'
import type { NamedRelation } from './memories.service.ts'
import { getNamedEntity } from './read-memories.ts'

export type NamedNode = { name: string; entityType: string; observationsCount: number }
export type NamedPart = { entities: NamedNode[]; relations: NamedRelation[] }

const observationsShown = 50

/** An entity with its newest observations and what is around it, nearest first. Throws `entity_not_found`. */
export async function exploreEntity(ctx: Context, actor: Actor, name: string, depth: number, limit: number) {
  const entity = await getNamedEntity(ctx, actor, name)
  const observations = await listObservations(ctx.db, ctx.dialect, actor, [entity.id])
  const around = await getNeighbourhood(ctx, actor, entity.id, depth, limit)
  return {
    entity: {
      name: entity.name,
      entityType: entity.type,
      metadata: entity.metadata,
      createdAt: entity.createdAt,
      updatedAt: entity.updatedAt,
      observationsCount: entity.observationsCount,
      observations: observations
        .slice(-observationsShown)
        .map(({ content, createdAt }) => ({ content, createdAt })),
    },
    ...toNamedPart({ ...around, entities: around.entities.slice(1) }, around),
    truncated: around.truncated,
  }
}

/** A shortest path in order, relations taken both ways. Throws `entity_not_found`, `path_not_found`. */
export async function findNamedPath(
  ctx: Context,
  actor: Actor,
  from: string,
  to: string,
): Promise<NamedPart> {
  const path = await getShortestPath(
    ctx,
    actor,
    (await getNamedEntity(ctx, actor, from)).id,
    (await getNamedEntity(ctx, actor, to)).id,
  )
  return toNamedPart(path, path)
}

function toNamedPart(shown: GraphData, all: GraphData): NamedPart {
  const nameOf = new Map(all.entities.map((entity) => [entity.id, entity.name]))
  return {
    entities: shown.entities.map(({ name, type, observationsCount }) => ({
      name,
      entityType: type,
      observationsCount,
    })),
    relations: shown.relations.map((relation) => ({
      from: nameOf.get(relation.fromEntityId) ?? '',
      to: nameOf.get(relation.toEntityId) ?? '',
      relationType: relation.relationType,
    })),
  }
}
