import { isDeepStrictEqual } from 'node:util'
import type { CreateEntity } from '@loci/contract/entities'
import type { Metadata } from '@loci/contract/metadata'
import type { ObservationInput } from '@loci/contract/observations'
import { type StoredEntity, touchEntities, updateEntity } from '../../graph/entities.repo.ts'
import {
  listObservations,
  type StoredObservation,
  updateObservationMetadata,
} from '../../graph/observations.repo.ts'
import { removeObservations, storeObservations } from '../../graph/store-entities.ts'
import type { GraphWrite } from '../../graph/write-graph.ts'
import { fromIso } from '../../lib/time.ts'
import { reindexEntity, reindexObservationMetadata } from '../../search-index/index-graph.ts'

/** Makes a stored entity what `input` says; what stays the same is not written and not logged. */
export async function replaceEntity(
  write: GraphWrite,
  before: StoredEntity,
  input: CreateEntity,
): Promise<void> {
  const metadataChanged =
    input.observations === undefined ? false : await replaceObservations(write, before.id, input.observations)
  await replaceFields(write, before, input, metadataChanged)
}

async function replaceFields(
  write: GraphWrite,
  before: StoredEntity,
  input: CreateEntity,
  observationChanged: boolean,
): Promise<void> {
  const { version, degree, ...entity } = before
  const fields = { name: input.name, type: input.type, metadata: input.metadata ?? before.metadata }
  const same =
    fields.name === before.name &&
    fields.type === before.type &&
    isDeepStrictEqual(fields.metadata, before.metadata)
  if (same && !observationChanged) return
  await updateEntity(write.db, write.scope, before.id, fields)
  if (!same) {
    const changed = { ...fields, id: before.id, createdAt: fromIso(before.createdAt) }
    await reindexEntity(write.ctx, write.scope, changed)
  }
  await touchEntities(write.db, write.ctx.dialect, write.scope, [
    { id: before.id, at: write.at, observations: 0 },
  ])
  write.record(
    { operation: 'entity_updated', subjectId: before.id, before: entity, after: { ...entity, ...fields } },
    before.type === fields.type ? {} : { before: before.type, after: fields.type },
  )
}

/** Answers whether the metadata of an observation that stays was changed. */
async function replaceObservations(
  write: GraphWrite,
  entityId: string,
  wanted: readonly ObservationInput[],
): Promise<boolean> {
  const existing = await listObservations(write.db, write.ctx.dialect, write.scope, [entityId])
  const { kept, added, removed } = matchObservations(existing, wanted)
  await removeObservations(write, entityId, removed)
  if (added.length > 0) await storeObservations(write, [{ entityId, observations: added }])
  let changed = false
  for (const { observation, metadata } of kept) {
    if (metadata === undefined || isDeepStrictEqual(metadata, observation.metadata)) continue
    await updateObservationMetadata(write.db, write.scope, observation.id, metadata)
    await reindexObservationMetadata(write.ctx, write.scope, observation.id, metadata)
    changed = true
  }
  return changed
}

type Match = {
  kept: { observation: StoredObservation; metadata: Metadata | undefined }[]
  added: ObservationInput[]
  removed: StoredObservation[]
}

/** Pairs wanted texts with stored ones, each stored one once. */
function matchObservations(
  existing: readonly StoredObservation[],
  wanted: readonly ObservationInput[],
): Match {
  const free = new Map<string, StoredObservation[]>()
  for (const observation of existing) {
    const sameText = free.get(observation.content)
    if (sameText === undefined) free.set(observation.content, [observation])
    else sameText.push(observation)
  }
  const match: Match = { kept: [], added: [], removed: [] }
  for (const input of wanted) {
    const { content, metadata = undefined } = typeof input === 'string' ? { content: input } : input
    const observation = free.get(content)?.shift()
    if (observation === undefined) match.added.push(input)
    else match.kept.push({ observation, metadata })
  }
  match.removed = [...free.values()].flat()
  return match
}
