import { breathe } from '../../ground/lib/pace.ts'
import { bytesOf } from '../../rows/codec.ts'
import { saidOf, saysTheSame, type VersionedTable, type Versions } from '../../rows/columns.ts'
import type { Operation } from '../../rows/operations.ts'
import {
  indexNewEntities,
  indexObservations,
  reindexEntities,
  reindexObservation,
  unindexEntities,
  unindexObservations,
} from '../../search/store/index-graph.ts'
import { copyToPast, deletePastRows, updateRows } from '../versions/past-rows.writes.repo.ts'
import { replaceAliases } from './aliases.writes.repo.ts'
import { settleReplacements } from './replacements.ts'
import { countsOfSteps, type Reset, runsOfRelations, type Steps, sortSteps } from './row-changes.ts'
import {
  addToDegrees,
  insertEntities,
  insertObservations,
  insertRelations,
  touchEntities,
  updateRow,
} from './rows.writes.repo.ts'
import { toEntityToIndex, toObservationToIndex } from './to-index.ts'
import type { GraphWrite } from './write-graph.ts'

/**
 * Applies consistent steps as changes of the current set, in this order: relations deleted, entities
 * changed or inserted, observations, relations changed or inserted, entities deleted. `ending` is the
 * operation for the deleted entities.
 */
export async function applySteps(
  write: GraphWrite,
  steps: Steps,
  ending: Extract<Operation, 'entity_deleted' | 'entity_merged'> = 'entity_deleted',
): Promise<void> {
  const entities = sortSteps(steps.entities)
  const observations = sortSteps(steps.observations)
  const relations = sortSteps(steps.relations)
  await endRelations(write, relations.going)
  // Must come before another entity takes over the aliases.
  for (const entity of entities.going) await releaseAliases(write, entity)
  await resetEntities(write, entities.resets)
  await insertEntityVersions(write, entities.coming)
  await endObservations(write, observations.going)
  await resetObservations(write, observations.resets)
  await insertObservationVersions(write, observations.coming)
  await resetRelations(write, relations.resets)
  await insertRelationVersions(write, relations.coming)
  await endEntities(write, entities.going, ending)
  await settleCounts(
    write,
    steps,
    entities.going.map(({ id }) => id),
  )
  await settleReplacements(write, steps.observations)
}

async function end<T extends VersionedTable>(
  { db, scope, addBytes }: GraphWrite,
  table: T,
  rows: readonly Versions[T][],
  record: (row: Versions[T]) => number,
): Promise<void> {
  const endings = rows.map((row) => {
    addBytes(-bytesOf(table, row))
    return { id: row.id, until: record(row) }
  })
  await copyToPast(db, scope, table, endings)
  await deletePastRows(
    db,
    scope,
    table,
    rows.map(({ id }) => id),
  )
}

async function endRelations(write: GraphWrite, rows: readonly Versions['relations'][]): Promise<void> {
  await end(write, 'relations', rows, ({ id, type }) =>
    write.record({ operation: 'relation_deleted', subjectId: id }, { before: type }),
  )
}

async function endObservations(write: GraphWrite, rows: readonly Versions['observations'][]): Promise<void> {
  if (rows.length === 0) return
  await unindexObservations(
    write,
    write.scope,
    rows.map((row) => toObservationToIndex(row)),
  )
  await end(write, 'observations', rows, ({ id }) =>
    write.record({ operation: 'observation_deleted', subjectId: id }),
  )
}

async function releaseAliases(
  { db, scope }: GraphWrite,
  { id, aliases }: Versions['entities'],
): Promise<void> {
  await replaceAliases(db, scope, id, { before: aliases, after: null })
}

async function endEntities(
  write: GraphWrite,
  rows: readonly Versions['entities'][],
  operation: Operation,
): Promise<void> {
  if (rows.length === 0) return
  await unindexEntities(write, write.scope, rows.map(toEntityToIndex))
  await end(write, 'entities', rows, ({ id, type }) =>
    write.record({ operation, subjectId: id }, { before: type }),
  )
}

async function resetEntities(write: GraphWrite, resets: readonly Reset<'entities'>[]): Promise<void> {
  const { db, scope, at } = write
  const seqs = await endVersions(write, 'entities', resets, ({ before, after }) => {
    write.addBytes(bytesOf('entities', after) - bytesOf('entities', before))
    const types = after.type === before.type ? {} : { before: before.type, after: after.type }
    return write.record({ operation: 'entity_updated', subjectId: before.id }, types)
  })
  for (const [i, { before, after }] of resets.entries()) {
    await breathe()
    const { id } = before
    await replaceAliases(db, scope, id, { before: before.aliases, after: after.aliases })
    await updateRow(
      db,
      scope,
      { table: 'entities', id },
      {
        ...saidOf('entities', after),
        version: before.version + 1,
        updated_at: at,
        since: seqs[i]!,
        since_observations: before.observations_count,
      },
    )
  }
  await reindexEntities(
    write,
    scope,
    resets.map(({ before, after }) => ({ before: toEntityToIndex(before), after: toEntityToIndex(after) })),
  )
}

async function insertEntityVersions(
  write: GraphWrite,
  versions: readonly Versions['entities'][],
): Promise<void> {
  if (versions.length === 0) return
  const { db, scope, at } = write
  const rows = versions.map(({ until: _, ...row }) => {
    write.addBytes(bytesOf('entities', row))
    return {
      account_id: scope.accountId,
      space_id: scope.spaceId,
      ...row,
      observations_count: 0,
      degree: 0,
      version: row.version + 1,
      updated_at: at,
      since: write.record({ operation: 'entity_created', subjectId: row.id }, { after: row.type }),
      since_observations: 0,
    }
  })
  await insertEntities(db, rows)
  for (const { id, aliases } of versions)
    await replaceAliases(db, scope, id, { before: null, after: aliases })
  await indexNewEntities(write, scope, versions.map(toEntityToIndex), [])
}

/** Ends the current versions, as changes; returns the number of each change. */
async function endVersions<T extends VersionedTable>(
  { db, scope }: GraphWrite,
  table: T,
  resets: readonly Reset<T>[],
  record: (reset: Reset<T>) => number,
): Promise<number[]> {
  const endings = resets.map((reset) => ({ id: reset.before.id, until: record(reset) }))
  await copyToPast(db, scope, table, endings)
  return endings.map(({ until }) => until)
}

async function resetObservations(write: GraphWrite, resets: readonly Reset<'observations'>[]): Promise<void> {
  const { db, scope } = write
  const seqs = await endVersions(write, 'observations', resets, ({ before }) =>
    write.record({ operation: 'observation_updated', subjectId: before.id }),
  )
  for (const [i, reset] of resets.entries())
    if (!isMoveOnly(reset)) await rewriteObservation(write, reset, seqs[i]!)
  const moves = resets.flatMap((reset, i) =>
    isMoveOnly(reset) ? [{ id: reset.after.id, since: seqs[i]!, entityId: reset.after.entity_id }] : [],
  )
  for (const [entityId, rows] of Map.groupBy(moves, (move) => move.entityId))
    await updateRows(db, scope, 'observations', rows, { entity_id: entityId })
}

const isMoveOnly = ({ before, after }: Reset<'observations'>) =>
  before.updated_at === after.updated_at &&
  saysTheSame('observations', { ...before, entity_id: after.entity_id }, after)

async function rewriteObservation(
  write: GraphWrite,
  { before, after }: Reset<'observations'>,
  since: number,
): Promise<void> {
  await breathe()
  const { db, scope } = write
  const { content_hash, cited_repository, until_before, updated_at } = after
  write.addBytes(bytesOf('observations', after) - bytesOf('observations', before))
  const written = { content_hash, cited_repository, until_before, updated_at, since }
  const columns = { ...saidOf('observations', after), ...written }
  await updateRow(db, scope, { table: 'observations', id: before.id }, columns)
  if (after.content === before.content && after.metadata === before.metadata) return
  await reindexObservation(write, scope, {
    before: toObservationToIndex(before),
    after: toObservationToIndex(after),
  })
}

async function insertObservationVersions(
  write: GraphWrite,
  versions: readonly Versions['observations'][],
): Promise<void> {
  const { db, scope } = write
  const inOrder = versions.toSorted((a, b) => a.id - b.id)
  const rows = inOrder.map(({ until: _, ...row }) => {
    write.addBytes(bytesOf('observations', row))
    const since = write.record({ operation: 'observation_added', subjectId: row.id })
    return { account_id: scope.accountId, space_id: scope.spaceId, ...row, since }
  })
  await insertObservations(db, rows)
  await indexObservations(
    write,
    scope,
    inOrder.map((row) => toObservationToIndex(row)),
  )
}

async function resetRelations(write: GraphWrite, resets: readonly Reset<'relations'>[]): Promise<void> {
  const { db, scope } = write
  const seqs = await endVersions(write, 'relations', resets, ({ before, after }) => {
    write.addBytes(bytesOf('relations', after) - bytesOf('relations', before))
    const types = after.type === before.type ? {} : { before: before.type, after: after.type }
    return write.record({ operation: 'relation_updated', subjectId: before.id }, types)
  })
  let next = 0
  for (const { ids, columns } of runsOfRelations(resets)) {
    const rows = ids.map((id) => ({ id, since: seqs[next++]! }))
    await updateRows(db, scope, 'relations', rows, columns)
  }
}

async function insertRelationVersions(
  write: GraphWrite,
  versions: readonly Versions['relations'][],
): Promise<void> {
  const { db, scope } = write
  const rows = versions.map(({ until: _, ...row }) => {
    write.addBytes(bytesOf('relations', row))
    const since = write.record({ operation: 'relation_created', subjectId: row.id }, { after: row.type })
    return { account_id: scope.accountId, space_id: scope.spaceId, ...row, since }
  })
  await insertRelations(db, rows)
}

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
