import type { FileHandle } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { dialectOf } from '../../db/dialect-of.ts'
import { inProcessOf } from '../../db/run-compiled.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../errors/app-error.ts'
import { type ChangeSet, type GraphWrite, writeGraph } from '../../graph/write-graph.ts'
import { oneAhead } from '../../lib/one-ahead.ts'
import { breathe } from '../../lib/turns.ts'
import { settleIndex } from '../../search-index/index-graph.ts'
import { importEntities } from './import-entities.ts'
import type { Progress } from './import-progress.ts'
import { importRelations } from './import-relations.ts'
import { type StoredImport, updateImportProgress } from './imports.repo.ts'
import { type Unit, weightOf } from './read-units.ts'
import { unitsToImport } from './units-to-import.ts'

const rowsMin = 150
const rowsMax = 5_000
const rowsFirst = 300
/** Chunks go on with one set of changes up to here: a set is taken back in one transaction. */
const changesPerSetMax = 20_000

export type RunOptions = {
  /** Ends the run after the chunk under way; the import can go on later. */
  signal?: AbortSignal
  /** How long a chunk should hold up other writers. Longer chunks cost less a row. */
  chunkMs?: number
  /** Told after each chunk. */
  onProgress?: (progress: Progress) => void
}

type Run = {
  /** How many rows the next chunk should have, about. */
  rows: number
  chunkMs: number
  /** What the last chunk changed, with those before it. */
  set: ChangeSet | undefined
}

/** Imports a file from where `own` stands to its end, or to the plan's limit. */
export async function runImport(
  ctx: Context,
  actor: Actor,
  own: StoredImport,
  file: FileHandle,
  { signal, onProgress, chunkMs = dialectOf(ctx.db).stepMs }: RunOptions = {},
): Promise<Progress> {
  let progress = own.progress
  const isInProcess = inProcessOf(ctx.db.getExecutor().adapter) !== undefined
  const run: Run = { rows: rowsFirst, chunkMs, set: undefined }
  while (progress.state === 'running') {
    const chunks = chunksOf(unitsToImport(file, own.bytes, progress), run)
    // Another process writes meanwhile; in this one, the next chunk would only hold up the write.
    for await (const chunk of isInProcess ? chunks : oneAhead(chunks)) {
      progress = await writeChunk(ctx, actor, own, progress, chunk, run)
      if (signal?.aborted) progress = await save(ctx, actor, own, { ...progress, state: 'interrupted' })
      onProgress?.(progress)
      await nextTurn()
      if (progress.state !== 'running') return progress
    }
    if (progress.pass === 'entities') await settleIndex(ctx)
    progress = await save(ctx, actor, own, endOfPass(progress))
  }
  return progress
}

function endOfPass(progress: Progress): Progress {
  return progress.pass === 'entities' && progress.relationsFrom !== undefined
    ? { ...progress, pass: 'relations', position: progress.relationsFrom }
    : { ...progress, state: 'finished' }
}

/** Units in groups of about `run.rows` rows, which may change from group to group. */
async function* chunksOf(units: AsyncIterable<Unit>, run: Pick<Run, 'rows'>): AsyncGenerator<Unit[], void> {
  let chunk: Unit[] = []
  let weight = 0
  for await (const unit of units) {
    await breathe()
    chunk.push(unit)
    weight += weightOf(unit)
    if (weight < run.rows) continue
    yield chunk
    chunk = []
    weight = 0
  }
  if (chunk.length > 0) yield chunk
}

/** Stores a chunk and how far the import came with it, or neither. */
async function writeChunk(
  ctx: Context,
  actor: Actor,
  own: StoredImport,
  progress: Progress,
  chunk: Unit[],
  run: Run,
): Promise<Progress> {
  const startedAt = performance.now()
  const importUnits = progress.pass === 'entities' ? importEntities : importRelations
  let set = run.set
  const write = async (inner: Context) => {
    const work = async (write: GraphWrite) => {
      const before = write.lastSeq()
      const done = await importUnits(write, progress, chunk)
      const last = write.lastSeq()
      if (last > before) set = { first: write.setSeq, last }
      return done
    }
    return save(inner, actor, own, await writeGraph(inner, actor, work, growing(run.set)))
  }
  const next = await transact(ctx, write, actor.accountId).catch((error) => {
    // The plan has no room for the bytes of this chunk.
    if (!(error instanceof AppError && error.code === 'plan_limit_reached')) throw error
    return save(ctx, actor, own, { ...progress, state: 'plan_limit_reached' })
  })
  run.set = set
  const ms = performance.now() - startedAt
  const rows = chunk.reduce((sum, unit) => sum + weightOf(unit), 0)
  run.rows = Math.min(rowsMax, Math.max(rowsMin, Math.round((run.rows + (rows * run.chunkMs) / ms) / 2)))
  return next
}

/** The set if there is room for more changes in it. */
function growing(set: ChangeSet | undefined): ChangeSet | undefined {
  return set !== undefined && set.last - set.first < changesPerSetMax ? set : undefined
}

async function save(ctx: Context, actor: Actor, own: StoredImport, progress: Progress): Promise<Progress> {
  if (await updateImportProgress(ctx.db, actor, own, progress, ctx.now())) return progress
  throw new AppError('import_conflict', 'The same file was sent again, and that import has taken over')
}
