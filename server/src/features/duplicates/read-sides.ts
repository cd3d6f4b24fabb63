import { numberOf, toId } from '../../ground/lib/ids.ts'
import type { StoredEntity, StoredObservation } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { listLatestObservations } from '../../rows/observations.repo.ts'
import { listRelationNumbersOf } from '../../rows/relations.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { Pair } from './duplicates.repo.ts'
import type { Neighbour, Side, SideRelation } from './weigh-pair.rules.ts'

/** Everything that pairs are scored by. */
export type Sides = {
  sides: Map<number, Side>
  stored: Map<number, StoredEntity>
  facts: Map<string, StoredObservation[]>
  /** Neighbours that two of the entities share. */
  neighbours: Map<number, Neighbour>
}

const factsPerEntity = 6
/** A hub's relations are too many, and say little. */
const degreeMax = 300
const relationsMax = 20_000

/** Reads the entities of about 50 pairs, with their newest facts and their relations. */
export async function readSides(db: Db, scope: Scope, pairs: readonly Pair[]): Promise<Sides> {
  const ids = [...new Set(pairs.flat())].map((id) => toId('ent', id))
  const entities = await findEntitiesById(db, scope, ids)
  const facts = Map.groupBy(
    await listLatestObservations(db, scope, ids, { perEntity: factsPerEntity }),
    ({ entityId }) => entityId,
  )
  const relations = await readRelations(db, scope, entities)
  const sides = new Map<number, Side>()
  for (const { id: shown, name, type, aliases } of entities) {
    const id = numberOf('ent', shown)
    const texts = (facts.get(shown) ?? []).map(({ content }) => content)
    sides.set(id, { id, name, type, aliases, facts: texts, relations: relations.get(id) ?? [] })
  }
  const stored = new Map(entities.map((entity) => [numberOf('ent', entity.id), entity]))
  return { sides, stored, facts, neighbours: await readShared(db, scope, relations, pairs) }
}

async function readRelations(
  db: Db,
  scope: Scope,
  entities: readonly StoredEntity[],
): Promise<Map<number, SideRelation[]>> {
  const wanted = entities.filter(({ degree }) => degree > 0 && degree <= degreeMax)
  const relations = new Map(wanted.map(({ id }) => [numberOf('ent', id), [] as SideRelation[]]))
  if (wanted.length === 0) return relations
  for (const { fromId, toId, type } of await listRelationNumbersOf(
    db,
    scope,
    [...relations.keys()],
    relationsMax,
  )) {
    relations.get(fromId)?.push({ neighbour: toId, type })
    relations.get(toId)?.push({ neighbour: fromId, type })
  }
  return relations
}

async function readShared(
  db: Db,
  scope: Scope,
  relations: ReadonlyMap<number, SideRelation[]>,
  pairs: readonly Pair[],
): Promise<Map<number, Neighbour>> {
  const shared = new Set<string>()
  for (const [first, second] of pairs) {
    const ofFirst = new Set(relations.get(first)?.map(({ neighbour }) => neighbour))
    for (const { neighbour } of relations.get(second) ?? [])
      if (ofFirst.has(neighbour)) shared.add(toId('ent', neighbour))
  }
  const found = await findEntitiesById(db, scope, [...shared])
  return new Map(found.map(({ id, name, degree }) => [numberOf('ent', id), { name, degree }]))
}
