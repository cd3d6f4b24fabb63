import type { FileHandle } from 'node:fs/promises'
import { setImmediate as nextTask } from 'node:timers/promises'
import { AppError } from '../../ground/errors/app-error.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { prefetchOne } from '../../ground/lib/prefetch-one.ts'
import { type ChangeSet, type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import { settleIndex } from '../../search/store/index-graph.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { inProcessOf } from '../../store/run-compiled.ts'
import { inBackground, onceWritten, transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { importEntities } from './import-entities.ts'
import type { Progress } from './import-progress.ts'
import { importRelations } from './import-relations.ts'
import { type StoredImport, updateImportProgress } from './imports.repo.ts'
import { type ImportUnit, weightOf } from './read-units.ts'
import { unitsToImport } from './units-to-import.ts'

const rowsMin = 150
const rowsMax = 5_000
/** The planner's statistics are updated after this many rows, and each time there are this many times as many. */
const rowsToStatistics = 300
const growthToStatistics = 10
/** From so many rows on, the statistics must know the account. */
const rowsOfKnownAccount = 3_000
/** Chunks share a set of changes up to this size, because undoing a set takes one transaction. */
const changesPerSetMax = 20_000

export type RunOptions = {
  /** Stops the run after the current chunk; the import can resume later. */
  signal?: AbortSignal
  /** How long a chunk should delay other writers. Longer chunks cost less per row. */
  chunkMs?: number
  /** Called after each chunk. */
  onProgress?: (progress: Progress) => void
}

type Run = {
  /** Whether this process writes the database itself. */
  isInProcess: boolean
  /** Approximate rows for the next chunk. */
  rows: number
  chunkMs: number
  /** Rows of this pass so far, and the number at which the planner's statistics are updated next. */
  written: number
  statisticsAt: number
  /** The change set so far, including the last chunk. */
  set: ChangeSet | undefined
}

/** Imports a file from the position in `own` to its end, or to the plan's limit. */
export async function runImport(
  ctx: Context,
  actor: Actor,
  own: StoredImport,
  file: FileHandle,
  { signal, onProgress, chunkMs = dialectOf(ctx.db).stepMs }: RunOptions = {},
): Promise<Progress> {
  let progress = own.progress
  const isInProcess = inProcessOf(ctx.db.getExecutor().adapter) !== undefined
  const run: Run = {
    isInProcess,
    rows: rowsMin,
    chunkMs,
    written: 0,
    statisticsAt: rowsToStatistics,
    set: undefined,
  }
  while (progress.state === 'running') {
    const chunks = chunksOf(unitsToImport(file, own.bytes, progress), run)
    let onDisk: Promise<unknown> = Promise.resolve()
    // Read ahead only if another process does the writing; in this one, the next chunk would just delay the write.
    for await (const chunk of isInProcess ? chunks : prefetchOne(chunks)) {
      const written = await writeChunk(ctx, actor, own, progress, chunk, run)
      await onDisk
      ;({ progress, onDisk } = written)
      if (signal?.aborted) progress = await save(ctx, actor, own, { ...progress, state: 'interrupted' })
      onProgress?.(progress)
      await nextTask()
      if (progress.state !== 'running') return onDisk.then(() => progress)
      if (run.written >= run.statisticsAt) {
        await updateStatistics(ctx, actor, run)
        run.statisticsAt = run.written * growthToStatistics
      }
    }
    await onDisk
    await updateStatistics(ctx, actor, run)
    if (progress.pass === 'entities') await settleIndex(ctx)
    progress = await save(ctx, actor, own, endOfPass(progress))
    // Lines of the other pass are skipped quickly, which says nothing about these rows.
    Object.assign(run, { rows: rowsMin, written: 0, statisticsAt: rowsToStatistics })
  }
  return progress
}

const updateStatistics = ({ dialect, db }: Context, { accountId }: Actor, { written }: Run) =>
  dialect.updateStatistics(db, written < rowsOfKnownAccount ? undefined : accountId)

function endOfPass(progress: Progress): Progress {
  return progress.pass === 'entities' && progress.relationsFrom !== undefined
    ? { ...progress, pass: 'relations', position: progress.relationsFrom }
    : { ...progress, state: 'finished' }
}

/** Units in groups of about `run.rows` rows, a number that can change from group to group. */
async function* chunksOf(
  units: AsyncIterable<ImportUnit>,
  run: Pick<Run, 'rows'>,
): AsyncGenerator<ImportUnit[], void> {
  let chunk: ImportUnit[] = []
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

/**
 * Stores a chunk together with the import's progress, atomically. SQLite's commits reach the disk (`onDisk`) while the
 * next chunk is stored; a power cut can lose the last ones, and the import resumes before them.
 */
async function writeChunk(
  ctx: Context,
  actor: Actor,
  own: StoredImport,
  progress: Progress,
  chunk: ImportUnit[],
  run: Run,
): Promise<{ progress: Progress; onDisk: Promise<unknown> }> {
  const startedAt = performance.now()
  const importUnits = progress.pass === 'entities' ? importEntities : importRelations
  const account = run.isInProcess ? inBackground : actor.accountId
  const written = Promise.withResolvers<Progress>()
  let set = run.set
  const write = async (inner: Context) => {
    const work = async (write: GraphWrite) => {
      const before = write.lastSeq()
      const done = await importUnits(write, progress, chunk)
      const last = write.lastSeq()
      if (last > before) set = { first: write.setSeq, last }
      return done
    }
    const next = await save(inner, actor, own, await writeGraph(inner, actor, work, growing(run.set)))
    onceWritten(inner.db, () => written.resolve(next))
    return next
  }
  const onDisk = transact(ctx, account, write).catch((error) => {
    // The plan has no room for the bytes of this chunk.
    if (!(error instanceof AppError && error.code === 'plan_limit_reached')) throw error
    return save(ctx, actor, own, { ...progress, state: 'plan_limit_reached' })
  })
  const next = await Promise.race([written.promise, onDisk])
  run.set = set
  const ms = performance.now() - startedAt
  const rows = chunk.reduce((sum, unit) => sum + weightOf(unit), 0)
  run.written += rows
  run.rows = Math.min(rowsMax, Math.max(rowsMin, Math.round((run.rows + (rows * run.chunkMs) / ms) / 2)))
  return { progress: next, onDisk }
}

/** The set, if it has room for more changes. */
function growing(set: ChangeSet | undefined): ChangeSet | undefined {
  return set !== undefined && set.last - set.first < changesPerSetMax ? set : undefined
}

async function save(ctx: Context, actor: Actor, own: StoredImport, progress: Progress): Promise<Progress> {
  if (await updateImportProgress(ctx.db, actor, own, progress, ctx.now())) return progress
  throw new AppError('import_conflict', 'The same file was sent again, and that import has taken over')
}
