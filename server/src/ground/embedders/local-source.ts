import { join } from 'node:path'
import type { LocalModelId } from '@loci/contract/embeddings'
import type { Config } from '../config/config.ts'
import { embeddingsDirectory } from './embedder-choice.ts'
import { type LocalModel, localModels } from './local-models.ts'
import { installRuntime, isInstalled, type Runtime, runtimesHere } from './runtimes.ts'

/** Where local models and their runtimes come from. */
export type LocalSource = {
  /** URL of the hub, without a trailing slash. */
  hub: string
  models: readonly LocalModel[]
  /** Of models on the hub, best first. */
  runtimes: readonly Runtime[]
  installRuntime: (runtime: Runtime, directory: string, signal: AbortSignal) => Promise<void>
}

export const localSourceOf = ({ modelHub }: Pick<Config, 'modelHub'>): LocalSource => ({
  hub: modelHub,
  models: localModels,
  runtimes: runtimesHere(),
  installRuntime,
})

export const modelDirectory = (config: Pick<Config, 'dataDir'>, id: LocalModelId) =>
  join(embeddingsDirectory(config), 'models', id)

export const runtimeDirectory = (config: Pick<Config, 'dataDir'>, { name }: Runtime) =>
  join(embeddingsDirectory(config), 'runtimes', name)

/** The runtimes that may run a model, best first. */
export const runtimesOf = ({ runtimes }: LocalSource, model: LocalModel): readonly Runtime[] =>
  'runtime' in model ? [model.runtime] : runtimes

/** The installed runtime of a model, otherwise the best. */
export function findRuntime(
  config: Pick<Config, 'dataDir'>,
  source: LocalSource,
  model: LocalModel,
): Runtime {
  const runtimes = runtimesOf(source, model)
  return runtimes.find((runtime) => isInstalled(runtimeDirectory(config, runtime))) ?? runtimes[0]!
}
