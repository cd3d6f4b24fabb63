import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { type StoredEntity, type StoredObservation, toEntityColumns } from '../../rows/codec.ts'
import { listObservationTexts, type ObservationText } from '../../rows/observation-texts.repo.ts'
import { listRelationNumbersOf } from '../../rows/relations.repo.ts'
import { removeRelationRows } from './remove-relations.ts'
import { replacingOf, unlinkReplaced } from './replacements.ts'
import { touchEntities } from './rows.writes.repo.ts'
import type { AnalysedTexts } from './to-index.ts'
import type { GraphWrite } from './write-graph.ts'
import { endEntities, endObservations, releaseAliases } from './write-rows.ts'

/** Rows read and deleted at a time. */
const rowsPerStep = 1_000

/** Deletes observations and updates the counts of their entities. */
export async function removeObservations(
  write: GraphWrite,
  observations: readonly StoredObservation[],
): Promise<void> {
  // Each step writes the lists of all its words in the index once.
  for (const step of chunksOf(observations, rowsPerStep)) {
    const rows = step.map((observation) => replacingOf(numberOf('obs', observation.id), observation))
    await removeObservationRows(write, rows)
    const touches = [...Map.groupBy(step, ({ entityId }) => entityId)].map(([entityId, { length }]) => ({
      ...{ id: numberOf('ent', entityId), at: write.at, observations: -length },
    }))
    await touchEntities(write.db, write.scope, touches)
  }
}

async function removeObservationRows(
  write: GraphWrite,
  rows: readonly ObservationText[],
  analysed?: AnalysedTexts,
): Promise<void> {
  await endObservations(write, rows, analysed)
  await unlinkReplaced(write, rows)
}

/**
 * Deletes entities with their observations and relations.
 * @param analysed texts of these entities that were analysed before the write began
 */
export async function removeEntities(
  write: GraphWrite,
  entities: readonly StoredEntity[],
  analysed?: AnalysedTexts,
): Promise<void> {
  if (entities.length === 0) return
  const rows = entities.map((entity) => ({ id: numberOf('ent', entity.id), ...toEntityColumns(entity) }))
  const ids = rows.map(({ id }) => id)
  await removeRelationsOf(write, ids)
  await removeObservationsOf(write, ids, analysed)
  for (const row of rows) await releaseAliases(write, row)
  await endEntities(write, rows, 'entity_deleted')
}

async function removeRelationsOf(write: GraphWrite, entities: readonly number[]): Promise<void> {
  const { db, scope } = write
  for (;;) {
    const rows = await listRelationNumbersOf(db, scope, entities, rowsPerStep)
    if (rows.length === 0) return
    await removeRelationRows(write, rows)
  }
}

async function removeObservationsOf(
  write: GraphWrite,
  entities: readonly number[],
  analysed: AnalysedTexts | undefined,
): Promise<void> {
  const { db, scope } = write
  for (;;) {
    const rows = await listObservationTexts(db, scope, entities, rowsPerStep)
    if (rows.length === 0) return
    await removeObservationRows(write, rows, analysed)
  }
}
