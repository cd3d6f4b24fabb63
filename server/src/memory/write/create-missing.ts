import { isTold } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { numberOf } from '../../ground/lib/ids.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { findObservationsByContent, findObservationsWith } from '../../rows/observations.repo.ts'
import { type Ends, findRelationsBetween } from '../../rows/relations.repo.ts'
import type { ObservationsTable } from '../../store/schema.ts'
import { reviseObservationOf } from './revise-observation.ts'
import {
  type Addition,
  type EntityToStore,
  type LinkStored,
  type NewEntity,
  type ObservationToStore,
  storeEntities,
  storeObservations,
} from './store-entities.ts'
import { type RelationToStore, storeRelations } from './store-relations.ts'
import { findByName, type GraphWrite } from './write-graph.ts'

type Creation = {
  created: NewEntity[]
  /** Existing entities with names from the inputs. */
  existing: StoredEntity[]
  /** Names of inputs that were not created, without duplicates. */
  skipped: string[]
}

/** Creates the entities whose names are free; of inputs with the same name, the first wins. */
export async function createMissingEntities(
  write: GraphWrite,
  inputs: readonly EntityToStore[],
): Promise<Creation> {
  const names = inputs.map(({ name }) => name)
  const stored = await findByName(write, names)
  const taken = new Set(stored.keys())
  const skipped = new Set<string>()
  const missing = inputs.filter(({ name }) => {
    const isFree = !taken.has(name)
    if (isFree) taken.add(name)
    else skipped.add(name)
    return isFree
  })
  const existing = new Set(names.flatMap((name) => stored.get(name) ?? []))
  return { created: await storeEntities(write, missing), existing: [...existing], skipped: [...skipped] }
}

/** Observations for an entity, which may already have some of these texts. */
export type TextsToAdd = {
  entity: StoredEntity
  observations: readonly ObservationToStore[]
  updatedAt?: number
}

/**
 * Adds the observations whose texts their entity does not have yet; returns these in input order. A text that was
 * replaced or has expired can be true again.
 */
export async function addMissingObservations(
  write: GraphWrite,
  inputs: readonly TextsToAdd[],
  link?: LinkStored,
): Promise<ObservationsTable[][]> {
  const texts = inputs.flatMap(({ entity, observations }) =>
    observations.map((observation) => ({ entityId: entity.id, content: contentOf(observation) })),
  )
  const stored = await findObservationsByContent(write.db, write.scope, texts)
  const keyOfText = (entityId: string, content: string) => `${entityId} ${content}`
  const past = new Set<string>()
  const known = new Set<string>()
  for (const text of stored) {
    const isCurrent = isTold(text, write.at)
    ;(isCurrent ? known : past).add(keyOfText(text.entityId, text.content))
  }
  const replacing: { entityId: string; content: string; replaces: readonly string[] }[] = []
  const additions = inputs.map(({ entity, observations, ...rest }): Addition => {
    const missing = observations.filter((observation) => {
      const key = keyOfText(entity.id, contentOf(observation))
      // Agents can say again what was true; a file that is imported again says nothing new.
      const isPast = link !== undefined || (typeof observation !== 'string' && !isTold(observation, write.at))
      if (known.has(key) && typeof observation !== 'string' && observation.replaces !== undefined)
        replacing.push({ ...observation, entityId: entity.id, replaces: observation.replaces })
      return !known.has(key) && !(isPast && past.has(key)) && known.add(key)
    })
    return { entity: numberOf('ent', entity.id), observations: missing, ...rest }
  })
  const rows = await storeObservations(write, additions, link)
  if (link === undefined) for (const one of replacing) await replaceByKnown(write, one)
  return rows
}

/** A fact that is known already can still take the place of others. */
async function replaceByKnown(
  write: GraphWrite,
  { entityId, content, replaces }: { entityId: string; content: string; replaces: readonly string[] },
): Promise<void> {
  const found = await findObservationsWith(write.db, write.scope, entityId, [content])
  const known = found.find((one) => isTold(one, write.at))
  if (known === undefined) return
  await reviseObservationOf(write, known, {
    replaces: [...new Set([...(known.replaces ?? []), ...replaces])],
  })
}

const contentOf = (observation: ObservationToStore) =>
  typeof observation === 'string' ? observation : observation.content

/** Creates the missing relations; `existing` are the others. Each relation is in exactly one of the lists. */
export async function createMissingRelations(
  write: GraphWrite,
  inputs: readonly RelationToStore[],
): Promise<{ created: Relation[]; existing: Relation[] }> {
  const wanted = new Map<string, RelationToStore>()
  for (const input of inputs) {
    const key = keyOf(endsOf(input))
    if (!wanted.has(key)) wanted.set(key, input)
  }
  const found = await findRelationsBetween(write.db, write.scope, [...wanted.values()].map(endsOf))
  const byEnds = new Map(found.map((relation) => [keyOf(toEnds(relation)), relation]))
  const missing = [...wanted].filter(([key]) => !byEnds.has(key)).map(([, input]) => input)
  const existing = [...wanted.keys()].flatMap((key) => byEnds.get(key) ?? [])
  return { created: await storeRelations(write, missing), existing }
}

const endsOf = ({ from, to, type }: RelationToStore): Ends => ({ fromId: from.id, toId: to.id, type })
const toEnds = ({ fromEntityId, toEntityId, type }: Relation): Ends => ({
  fromId: fromEntityId,
  toId: toEntityId,
  type,
})
const keyOf = ({ fromId, toId, type }: Ends) => `${fromId} ${toId} ${type}`
