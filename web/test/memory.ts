import { changeSetHeader } from '@loci/contract/changes'
import type { Entity, EntityWithObservations } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { WithHeaders } from './server-double.ts'

/** When the things below were stored. */
export const storedAt = '2026-01-05T09:00:00.000Z'

/** An entity as lists have it, with an id made of its name: `ent_engine`. */
export function entityOf(name: string, more: Partial<Entity> = {}): Entity {
  return {
    id: `ent_${name.toLowerCase()}`,
    name,
    type: 'project',
    metadata: {},
    observationsCount: 0,
    createdAt: storedAt,
    updatedAt: storedAt,
    ...more,
  }
}

/** An entity with observations of these texts, `obs_1` first. */
export function entityWith(
  name: string,
  contents: readonly string[] = [],
  more: Partial<Entity> = {},
): EntityWithObservations {
  const observations = contents.map((content, index) => observationOf(`obs_${index + 1}`, content))
  return { ...entityOf(name, { observationsCount: observations.length, ...more }), observations }
}

export function observationOf(id: string, content: string, more: Partial<Observation> = {}): Observation {
  return { id, content, createdAt: storedAt, ...more }
}

/** A relation between two names, with the ids that `entityOf` gives them. */
export function relationOf(from: string, type: string, to: string, more: Partial<Relation> = {}): Relation {
  return {
    id: `rel_${from}_${type}_${to}`.toLowerCase(),
    fromEntityId: `ent_${from.toLowerCase()}`,
    toEntityId: `ent_${to.toLowerCase()}`,
    type,
    relationType: type,
    createdAt: storedAt,
    fromEntity: { name: from, type: 'project' },
    toEntity: { name: to, type: 'project' },
    ...more,
  }
}

/** The answer to a write, with the change set that undoes it. */
export function written<Body>(body: Body, setId = 'set_7'): WithHeaders<Body> {
  return new WithHeaders({ [changeSetHeader]: setId }, body)
}
