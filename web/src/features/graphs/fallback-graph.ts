import type { EntityWithObservations } from '@loci/contract/entities'
import type { GraphData } from '@loci/contract/graph'
import { plainText } from '../../ui/markdown/plain-text.ts'

const observationsShown = 10
const labelMax = 30

/** The type of the nodes that represent observations; no entity exists for them. */
export const observationNodeType = 'observation'

/** A graph of an entity and its first observations, used if the real one fails to load. */
export function fallbackGraph(entity: EntityWithObservations): GraphData {
  const { id, name, type, createdAt, updatedAt, observationsCount } = entity
  const observations = entity.observations.slice(0, observationsShown)
  return {
    entities: [
      { id, name, type, createdAt, updatedAt, observationsCount },
      ...observations.map((observation) => ({
        id: observation.id,
        name: cutLabel(plainText(observation.content), labelMax),
        type: observationNodeType,
        createdAt: observation.createdAt,
        updatedAt: observation.createdAt,
        observationsCount: 0,
      })),
    ],
    relations: observations.map((observation) => ({
      id: `${id} ${observation.id}`,
      fromEntityId: id,
      toEntityId: observation.id,
      relationType: 'contains',
      createdAt: observation.createdAt,
    })),
    truncated: entity.observations.length > observationsShown,
  }
}

/** Cuts at `max` characters and adds an ellipsis; an emoji counts as one character and is never split. */
export function cutLabel(text: string, max: number, ellipsis = '...'): string {
  const characters = [...text]
  return characters.length > max ? `${characters.slice(0, max).join('')}${ellipsis}` : text
}
