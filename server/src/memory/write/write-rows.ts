import { breathe } from '../../ground/lib/pace.ts'
import { bytesOf } from '../../rows/codec.ts'
import type { Tables, VersionedTable, Versions } from '../../rows/columns.ts'
import type { Operation } from '../../rows/operations.ts'
import {
  reindexEntities,
  reindexObservation,
  unindexEntities,
  unindexObservations,
} from '../../search/store/index-graph.ts'
import { copyToPast, deletePastRows, updateRows } from '../versions/past-rows.writes.repo.ts'
import { operationsOf } from '../versions/subjects.ts'
import { replaceAliases } from './aliases.writes.repo.ts'
import { type Changed, type Reset, runsOf } from './row-changes.ts'
import { insertRows } from './rows.writes.repo.ts'
import { type AnalysedTexts, toEntityToIndex, toObservationToIndex } from './to-index.ts'
import type { GraphWrite } from './write-graph.ts'

/*
 * How rows begin, change and end, whatever the reason: each function counts their bytes, records the changes and keeps
 * the versions before. Counts of entities are left to the caller.
 */

const typeOf = (row: object): string | undefined => ('type' in row ? String(row.type) : undefined)

/** Inserts rows, with the aliases of entities. The caller indexes them. */
export async function beginRows<T extends VersionedTable>(
  { db, scope, addBytes, record }: GraphWrite,
  table: T,
  given: readonly (Omit<Versions[T], 'since' | 'until'> & { id: number })[],
): Promise<Tables[T][]> {
  const rows = given.map((row) => {
    addBytes(bytesOf(table, row))
    const since = record({ operation: operationsOf[table].begin, subjectId: row.id }, { after: typeOf(row) })
    return { account_id: scope.accountId, space_id: scope.spaceId, ...row, since } as unknown as Tables[T]
  })
  await insertRows(db, table, rows)
  for (const row of rows)
    if ('aliases' in row && row.aliases !== null)
      await replaceAliases(db, scope, row.id, { before: null, after: row.aliases })
  return rows
}

async function resetRows<T extends VersionedTable>(
  { db, scope, addBytes, record }: GraphWrite,
  table: T,
  resets: readonly Reset<T>[],
  columns: Readonly<Record<string, number>> = {},
): Promise<void> {
  const seqs = new Map<number, number>()
  for (const { before, after } of resets) {
    addBytes(bytesOf(table, after) - bytesOf(table, before))
    const change = { operation: operationsOf[table].change, subjectId: before.id }
    seqs.set(before.id, record(change, { before: typeOf(before), after: typeOf(after) }))
  }
  await copyToPast(
    db,
    scope,
    table,
    [...seqs].map(([id, until]) => ({ id, until })),
  )
  for (const run of runsOf(table, resets)) {
    const rows = run.ids.map((id) => ({ id, since: seqs.get(id)! }))
    await updateRows(db, scope, table, rows, { ...run.columns, ...columns })
  }
}

/** Gives entities what they say after their resets. */
export async function resetEntities(
  write: GraphWrite,
  resets: readonly Reset<'entities'>[],
  analysed?: AnalysedTexts,
): Promise<void> {
  const { db, scope, at } = write
  for (const { before, after } of resets)
    await replaceAliases(db, scope, before.id, { before: before.aliases, after: after.aliases })
  await resetRows(write, 'entities', resets, { updated_at: at })
  await reindexEntities(
    write,
    scope,
    resets.map(({ before, after }) => ({
      before: toEntityToIndex(before),
      after: toEntityToIndex(after, analysed?.names?.get(after)),
    })),
  )
}

/** The caller touches the entities. */
export async function resetObservations(
  write: GraphWrite,
  resets: readonly Reset<'observations'>[],
): Promise<void> {
  await resetRows(write, 'observations', resets)
  for (const { before, after } of resets) {
    if (after.content === before.content && after.metadata === before.metadata) continue
    await breathe()
    await reindexObservation(write, write.scope, {
      before: toObservationToIndex(before),
      after: toObservationToIndex(after),
    })
  }
}

export const resetRelations = (write: GraphWrite, resets: readonly Reset<'relations'>[]): Promise<void> =>
  resetRows(write, 'relations', resets)

async function endRows(
  { db, scope, addBytes, record }: GraphWrite,
  table: VersionedTable,
  rows: readonly { id: number }[],
  operation: Operation,
): Promise<void> {
  const endings = rows.map((row) => {
    addBytes(-bytesOf(table, row))
    return { id: row.id, until: record({ operation, subjectId: row.id }, { before: typeOf(row) }) }
  })
  await copyToPast(db, scope, table, endings)
  await deletePastRows(
    db,
    scope,
    table,
    rows.map(({ id }) => id),
  )
}

/** Nothing may belong to them any more, and their aliases are released by the caller. */
export async function endEntities(
  write: GraphWrite,
  rows: readonly Changed['entities'][],
  operation: 'entity_deleted' | 'entity_merged',
): Promise<void> {
  if (rows.length === 0) return
  await unindexEntities(
    write,
    write.scope,
    rows.map((row) => toEntityToIndex(row)),
  )
  await endRows(write, 'entities', rows, operation)
}

/** @param analysed texts that were analysed before the write began */
export async function endObservations(
  write: GraphWrite,
  rows: readonly Changed['observations'][],
  analysed?: AnalysedTexts,
): Promise<void> {
  if (rows.length === 0) return
  await unindexObservations(
    write,
    write.scope,
    rows.map((row) => toObservationToIndex(row, analysed?.find(row))),
  )
  await endRows(write, 'observations', rows, 'observation_deleted')
}

export const endRelations = (write: GraphWrite, rows: readonly Changed['relations'][]): Promise<void> =>
  endRows(write, 'relations', rows, 'relation_deleted')

export async function releaseAliases(
  { db, scope }: GraphWrite,
  { id, aliases }: Changed['entities'],
): Promise<void> {
  await replaceAliases(db, scope, id, { before: aliases, after: null })
}
