import type { UpdateEntity } from '@loci/contract/entities'
import { isTold } from '@loci/contract/observations'
import { numberOf } from '../../ground/lib/ids.ts'
import type { StoredEntity, StoredObservation } from '../../rows/codec.ts'
import { findObservations, listObservationsOf } from '../../rows/observations.repo.ts'
import type { ObservationsTable } from '../../store/schema.ts'
import { removeObservations } from './remove-entities.ts'
import { reviseEntity } from './revise-entity.ts'
import { type ObservationChange, reviseObservation } from './revise-observation.ts'
import { touchEntities } from './rows.writes.repo.ts'
import { type ObservationToStore, storeObservations } from './store-entities.ts'
import type { GraphWrite } from './write-graph.ts'

/** Changes a stored entity to match `input`; unchanged parts are neither written nor logged. Returns the new observations. */
export async function replaceEntity(
  write: GraphWrite,
  before: StoredEntity,
  input: UpdateEntity,
): Promise<ObservationsTable[]> {
  const { name, type, metadata = before.metadata, aliases } = input
  await reviseEntity(write, before, { name, type, metadata, aliases })
  return input.observations === undefined ? [] : replaceObservations(write, before.id, input.observations)
}

type WantedObservation = NonNullable<UpdateEntity['observations']>[number]

async function replaceObservations(
  write: GraphWrite,
  entityId: string,
  wanted: readonly WantedObservation[],
): Promise<ObservationsTable[]> {
  const { db, scope, at } = write
  const existing = await listObservationsOf(db, scope, entityId)
  const { kept, added, removed } = matchObservations(existing, wanted)
  const replaced = new Set(wanted.flatMap(replacesOf))
  // What is no longer told is not in the list that callers saw, and stays.
  const left = removed.filter((one) => isTold(one, write.at) && !replaced.has(one.id))
  await removeObservations(write, left)
  const relinked = new Set([...replaced, ...existing.flatMap(replacesOf)])
  let revised = 0
  for (const { observation, change } of kept) {
    // Removing and revising others may have changed what replaces it.
    const [before = observation] = relinked.has(observation.id)
      ? await findObservations(db, scope, [observation.id])
      : []
    if ((await reviseObservation(write, before, change)) !== undefined) revised += 1
  }
  const entity = numberOf('ent', entityId)
  if (revised > 0) await touchEntities(db, scope, [{ id: entity, at, observations: 0 }])
  return added.length === 0 ? [] : (await storeObservations(write, [{ entity, observations: added }])).flat()
}

const replacesOf = (one: WantedObservation) => (typeof one === 'string' ? [] : (one.replaces ?? []))

type Match = {
  kept: { observation: StoredObservation; change: ObservationChange }[]
  added: ObservationToStore[]
  removed: StoredObservation[]
}

/** Matches wanted observations with stored ones, by id, else by text; each stored one at most once. */
function matchObservations(
  existing: readonly StoredObservation[],
  wanted: readonly WantedObservation[],
): Match {
  const inputs = wanted.map((input) =>
    typeof input === 'string' ? { content: input, id: undefined } : input,
  )
  const free = new Map(existing.map((observation) => [observation.id, observation]))
  const take = (id: string | undefined) => {
    const observation = id === undefined ? undefined : free.get(id)
    if (observation !== undefined) free.delete(observation.id)
    return observation
  }
  const byId = inputs.map(({ id }) => take(id))
  const idsOfText = new Map<string, string[]>()
  for (const { id, content } of free.values()) {
    const ids = idsOfText.get(content)
    if (ids === undefined) idsOfText.set(content, [id])
    else ids.push(id)
  }
  const match: Match = { kept: [], added: [], removed: [] }
  for (const [index, { id: _, ...given }] of inputs.entries()) {
    const observation = byId[index] ?? take(idsOfText.get(given.content)?.shift())
    if (observation === undefined) match.added.push(given)
    else match.kept.push({ observation, change: given })
  }
  match.removed = [...free.values()]
  return match
}
