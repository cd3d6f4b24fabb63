import { mkdir, readdir, rm, rmdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddingsInstallation, LocalModelId } from '@loci/contract/embeddings'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { tryLockDirectory } from '../directory-lock.ts'
import { configOfChoice } from './config-of-choice.ts'
import { createEmbedder } from './create-embedder.ts'
import { download } from './download.ts'
import { embeddingsDirectory } from './embedder-choice.ts'
import type { EmbeddingsHost } from './embeddings.ts'
import { InstallError, isDiskFull } from './install-error.ts'
import { filesOf, type LocalModel } from './local-models.ts'
import { modelDirectory, runtimeDirectory, runtimesOf } from './local-source.ts'
import { isInstalled, type Runtime } from './runtimes.ts'

export type InstallOptions = {
  signal: AbortSignal
  onProgress: (progress: EmbeddingsInstallation) => void
}

type Installing = { config: Config; embeddings: EmbeddingsHost; log: Logger }

const lockName = 'install.lock'

/**
 * Downloads a model and its runtime into the data directory and tests them. Existing files are kept, so an
 * interrupted installation resumes. Throws {@link InstallError}.
 */
export async function installLocal(
  ctx: Installing,
  id: LocalModelId,
  options: InstallOptions,
): Promise<void> {
  const model = ctx.embeddings.local.models.find((one) => one.id === id)
  if (model === undefined) throw new InstallError(`There is no model ${id}.`)
  await withInstallLock(ctx, async () => {
    try {
      await fetchModel(ctx, model, options)
      await makeRun(ctx, model, options)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      throw new InstallError(`The disk of ${embeddingsDirectory(ctx.config)} is full. Make room on it.`, {
        cause: error,
      })
    }
  })
}

/** Lets one process at a time change the installation. */
export async function withInstallLock<T>(ctx: Installing, work: () => Promise<T>): Promise<T> {
  const directory = embeddingsDirectory(ctx.config)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = tryLockDirectory(directory, lockName)
  if (lock === undefined) {
    throw new InstallError('Another process is installing a model here. Wait until it is done.')
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}

async function fetchModel(ctx: Installing, model: LocalModel, options: InstallOptions): Promise<void> {
  const { config, embeddings } = ctx
  const directory = modelDirectory(config, model.id)
  const files = filesOf(model)
  if (files.length === 0) return
  const bytes = bytesOf(model)
  await requireRoom(ctx, bytes)
  let before = 0
  const report = (bytesDone: number) =>
    options.onProgress({ model: model.id, step: 'model', bytesDone, bytes, failure: null })
  report(0)
  for (const file of files) {
    const url = `${embeddings.local.hub}/${model.repository}/resolve/${model.revision}/${file.path}`
    await download(
      { ...file, url, path: join(directory, file.path) },
      { signal: options.signal, onBytes: (count) => report(before + count) },
    )
    before += file.bytes
  }
}

const bytesOf = (model: LocalModel) => filesOf(model).reduce((sum, file) => sum + file.bytes, 0)

/** Uses the first runtime that can run the model. */
async function makeRun(ctx: Installing, model: LocalModel, options: InstallOptions): Promise<void> {
  const runtimes = runtimesOf(ctx.embeddings.local, model)
  const bytes = bytesOf(model)
  const progress = { model: model.id, bytesDone: bytes, bytes, failure: null }
  for (const [place, runtime] of runtimes.entries()) {
    const directory = runtimeDirectory(ctx.config, runtime)
    if (!isInstalled(directory)) {
      options.onProgress({ ...progress, step: 'runtime' })
      await requireRoom(ctx, runtime.roomBytes)
      await ctx.embeddings.local.installRuntime(runtime, directory, options.signal)
    }
    options.onProgress({ ...progress, step: 'trial' })
    try {
      return await tryModel(ctx, model, runtime, options.signal)
    } catch (error) {
      if (options.signal.aborted) throw error
      await rm(directory, { recursive: true, force: true })
      ctx.log.warn({ err: error, runtime: runtime.name }, 'the model cannot be run')
      const { message } = error as Error
      if (place === runtimes.length - 1) {
        throw new InstallError(`${model.id} cannot be run here: ${message}`, { cause: error })
      }
    }
  }
}

async function tryModel(ctx: Installing, model: LocalModel, runtime: Runtime, signal: AbortSignal) {
  const source = 'runtime' in model ? ctx.embeddings.local : { ...ctx.embeddings.local, runtimes: [runtime] }
  const config = configOfChoice(ctx.config, { provider: 'local', model: model.id }, source)
  const embedder = createEmbedder(config!)
  try {
    await embedder.embed(['A first sentence.'], 'passage', signal)
  } finally {
    await embedder.close()
  }
}

async function requireRoom({ config }: Installing, bytes: number): Promise<void> {
  const directory = embeddingsDirectory(config)
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  if (free >= bytes) return
  const inMegabytes = (count: number) => `${Math.ceil(count / 1_000_000)} MB`
  throw new InstallError(
    `The disk of ${directory} has ${inMegabytes(free)} left, and ${inMegabytes(bytes)} are needed.`,
  )
}

/** Deletes all models but `kept`, and the runtimes that it does not need. */
export async function removeLocal(ctx: Installing, kept?: LocalModel): Promise<void> {
  const directory = embeddingsDirectory(ctx.config)
  const runtimes = kept === undefined ? [] : runtimesOf(ctx.embeddings.local, kept)
  await removeOthers(join(directory, 'models'), kept === undefined ? [] : [kept.id])
  await removeOthers(
    join(directory, 'runtimes'),
    runtimes.map(({ name }) => name),
  )
}

/** Deletes what a directory contains but `kept`, and the directory if that leaves nothing. */
async function removeOthers(directory: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (!kept.includes(name)) await rm(join(directory, name), { recursive: true, force: true })
  }
  await rmdir(directory).catch(() => {})
}
