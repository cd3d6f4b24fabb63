import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '@loci/contract/metadata'
import { toIso } from '../lib/time.ts'
import { reindexObservation } from '../search-index/index-graph.ts'
import { contentHashOf } from './content-hash.ts'
import { touchEntities } from './entities.writes.repo.ts'
import { numberOf } from './numbers-of.ts'
import type { StoredObservation } from './observations.repo.ts'
import { updateObservationRow } from './observations.writes.repo.ts'
import { copyToPast } from './past-rows.writes.repo.ts'
import { bytesOf } from './stored-bytes.ts'
import type { GraphWrite } from './write-graph.ts'

/** Omitted fields are unchanged. */
export type ObservationChange = { content?: string | undefined; metadata?: Metadata | undefined }

/**
 * Corrects an observation: its id and time stay. Returns it, or undefined if nothing changed. The
 * caller must touch the entity.
 */
export async function reviseObservation(
  write: GraphWrite,
  before: StoredObservation,
  { content = before.content, metadata = before.metadata }: ObservationChange,
): Promise<StoredObservation | undefined> {
  if (content === before.content && isDeepStrictEqual(metadata, before.metadata)) return undefined
  const { db, scope, at } = write
  const id = numberOf('obs', before.id)
  const seq = write.record({ operation: 'observation_updated', subjectId: id })
  await copyToPast(db, scope, 'observations', [{ id, until: seq }])
  const json = toJson(metadata)
  write.addBytes(bytesOf(content, json) - bytesOf(before.content, toJson(before.metadata)))
  await updateObservationRow(db, scope, id, {
    content,
    content_hash: contentHashOf(content),
    metadata: json,
    updated_at: at,
    since: seq,
  })
  await reindexObservation(write, scope, {
    before: { id, content: before.content, metadata: before.metadata },
    after: { id, content, metadata },
  })
  const after: StoredObservation = { ...before, content, updatedAt: toIso(at) }
  if (metadata !== undefined) after.metadata = metadata
  return after
}

/** The same, and touches its entity; returns the observation. */
export async function reviseObservationOf(
  write: GraphWrite,
  before: StoredObservation,
  change: ObservationChange,
): Promise<StoredObservation> {
  const after = await reviseObservation(write, before, change)
  if (after === undefined) return before
  const { db, scope, at } = write
  await touchEntities(db, scope, [{ id: numberOf('ent', before.entityId), at, observations: 0 }])
  return after
}

const toJson = (metadata: object | undefined) => (metadata === undefined ? null : JSON.stringify(metadata))
