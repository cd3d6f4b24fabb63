import type { Versions } from '../../rows/columns.ts'
import { indexNewEntities, indexObservations } from '../../search/store/index-graph.ts'
import { settleReplacements } from './replacements.ts'
import { countsOfSteps, type Steps, sortSteps } from './row-changes.ts'
import { addToDegrees, touchEntities } from './rows.writes.repo.ts'
import { type AnalysedTexts, toEntityToIndex, toObservationToIndex } from './to-index.ts'
import type { GraphWrite } from './write-graph.ts'
import {
  beginRows,
  endEntities,
  endObservations,
  endRelations,
  releaseAliases,
  resetEntities,
  resetObservations,
  resetRelations,
} from './write-rows.ts'

type Applied = {
  /** The operation for the deleted entities. */
  ending?: 'entity_deleted' | 'entity_merged'
  analysed?: AnalysedTexts | undefined
}

/**
 * Applies consistent steps as changes of the current set, in this order: relations deleted, entities
 * changed or inserted, observations, relations changed or inserted, entities deleted.
 */
export async function applySteps(
  write: GraphWrite,
  steps: Steps,
  { ending = 'entity_deleted', analysed }: Applied = {},
): Promise<void> {
  const entities = sortSteps(steps.entities)
  const observations = sortSteps(steps.observations)
  const relations = sortSteps(steps.relations)
  await endRelations(write, relations.going)
  // Must come before another entity takes over the aliases.
  for (const entity of entities.going) await releaseAliases(write, entity)
  await resetEntities(write, entities.resets, analysed)
  await insertEntityVersions(write, entities.coming, analysed)
  await endObservations(write, observations.going, analysed)
  await resetObservations(write, observations.resets)
  await insertObservationVersions(write, observations.coming, analysed)
  await resetRelations(write, relations.resets)
  await beginRows(write, 'relations', relations.coming.map(withoutEnd))
  await endEntities(write, entities.going, ending)
  await settleCounts(
    write,
    steps,
    entities.going.map(({ id }) => id),
  )
  await settleReplacements(write, steps.observations)
}

async function insertEntityVersions(
  write: GraphWrite,
  versions: readonly Versions['entities'][],
  analysed: AnalysedTexts | undefined,
): Promise<void> {
  const rows = versions.map(({ until: _, ...row }) => ({
    ...row,
    ...{ observations_count: 0, degree: 0, since_observations: 0 },
    version: row.version + 1,
    updated_at: write.at,
  }))
  await beginRows(write, 'entities', rows)
  const toIndex = versions.map((row) => toEntityToIndex(row, analysed?.names?.get(row)))
  await indexNewEntities(write, write.scope, toIndex, [])
}

async function insertObservationVersions(
  write: GraphWrite,
  versions: readonly Versions['observations'][],
  analysed: AnalysedTexts | undefined,
): Promise<void> {
  const inOrder = versions.toSorted((a, b) => a.id - b.id)
  await beginRows(write, 'observations', inOrder.map(withoutEnd))
  await indexObservations(
    write,
    write.scope,
    inOrder.map((row) => toObservationToIndex(row, analysed?.find(row))),
  )
}

const withoutEnd = <Row extends { until: unknown }>({ until: _, ...row }: Row) => row

/** Updates the counts of remaining entities, and marks those whose observations changed as changed. */
async function settleCounts(write: GraphWrite, steps: Steps, gone: readonly number[]): Promise<void> {
  const { db, scope, at } = write
  const { observations, degrees } = countsOfSteps(steps)
  for (const id of gone) {
    observations.delete(id)
    degrees.delete(id)
  }
  await addToDegrees(db, scope, degrees)
  const touches = [...observations].map(([id, delta]) => ({ id, at, observations: delta }))
  await touchEntities(db, scope, touches)
}
