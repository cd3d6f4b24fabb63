import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { bytesOf, type StoredEntity, type StoredObservation, toEntityColumns } from '../../rows/codec.ts'
import { listObservationTexts, type ObservationText } from '../../rows/observation-texts.repo.ts'
import { listRelationNumbersOf } from '../../rows/relations.repo.ts'
import { unindexEntities, unindexObservations } from '../../search/store/index-graph.ts'
import { copyToPast, deletePastRows } from '../versions/past-rows.writes.repo.ts'
import { replaceAliases } from './aliases.writes.repo.ts'
import type { AnalysedTexts } from './analyse-stored.ts'
import { removeRelationRows } from './remove-relations.ts'
import { replacingOf, unlinkReplaced } from './replacements.ts'
import { touchEntities } from './rows.writes.repo.ts'
import { toObservationToIndex } from './to-index.ts'
import type { GraphWrite } from './write-graph.ts'

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
  const { db, scope } = write
  const texts = rows.map((row) => toObservationToIndex(row, analysed?.find(row)))
  await unindexObservations(write, scope, texts)
  const endings = rows.map((row) => {
    write.addBytes(-bytesOf('observations', row))
    const { id } = row
    return { id, until: write.record({ operation: 'observation_deleted', subjectId: id }) }
  })
  await copyToPast(db, scope, 'observations', endings)
  await deletePastRows(
    db,
    scope,
    'observations',
    rows.map(({ id }) => id),
  )
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
  const { db, scope } = write
  const ids = entities.map(({ id }) => numberOf('ent', id))
  await removeRelationsOf(write, ids)
  await removeObservationsOf(write, ids, analysed)
  await unindexEntities(
    write,
    scope,
    entities.map((entity, index) => ({ ...entity, id: ids[index]! })),
  )
  const endings = entities.map((entity, index) => {
    write.addBytes(-bytesOf('entities', toEntityColumns(entity)))
    const [id, before] = [ids[index]!, entity.type]
    return { id, until: write.record({ operation: 'entity_deleted', subjectId: id }, { before }) }
  })
  for (const [index, { aliases }] of entities.entries()) {
    if (aliases === undefined) continue
    await replaceAliases(db, scope, ids[index]!, { before: JSON.stringify(aliases), after: null })
  }
  await copyToPast(db, scope, 'entities', endings)
  await deletePastRows(db, scope, 'entities', ids)
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
