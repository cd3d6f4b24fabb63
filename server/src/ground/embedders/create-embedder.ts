import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddingsConfig } from '../config/config.ts'
import { toUnit } from '../lib/vectors.ts'
import { type Embedder, EmbedderError, toInput } from './embedder.ts'
import { createHttpEmbedder } from './http-embedder.ts'
import { createLocalEmbedder } from './local-embedder.ts'
import {
  filesOf,
  graphPath,
  type InstalledModel,
  type LocalModel,
  tokenizerConfigPath,
  tokenizerPath,
} from './local-models.ts'
import { ModelProcess, type ModelSettings } from './model-process.ts'
import { isInstalled } from './runtimes.ts'

/** Throws `ConfigError` if a folder named by the environment cannot be used. */
export function createEmbedder(config: EmbeddingsConfig): Embedder {
  const { source } = config
  if ('dir' in source) return createLocalEmbedder(config, source.dir)
  if ('installed' in source) return createInstalledEmbedder(config, source.installed)
  return createHttpEmbedder(config, source)
}

/** A model installed in the data directory, run in a separate process. */
function createInstalledEmbedder(config: EmbeddingsConfig, installed: InstalledModel): Embedder {
  const { model, files, runtime } = installed
  const process = new ModelProcess(settingsOf(installed))
  const { queryPrefix, passagePrefix } = config
  return {
    identity: JSON.stringify([`${model.repository}@${model.revision}`, null, queryPrefix, passagePrefix]),
    model: model.id,
    textsPerCall: 8,
    callsAtOnce: 1,
    isSlow: 'runtime' in model,
    async embed(texts, kind, signal) {
      if (!isInstalled(runtime) || filesOf(model).some(({ path }) => !existsSync(join(files, path)))) {
        throw new EmbedderError(`The files of ${model.id} are not there. Choose the model again.`)
      }
      const inputs = texts.map((text) => toInput(config, text, kind))
      return (await process.ask(inputs, kind, signal)).map((values) => toVector(model, values))
    },
    close: () => process.close(),
  }
}

function settingsOf({ model, files, runtime, library }: InstalledModel): ModelSettings {
  if ('runtime' in model) return { runtime, library, packagedModel: model.repository }
  return {
    runtime,
    library,
    graph: join(files, graphPath),
    tokenizer: join(files, tokenizerPath),
    tokenizerConfig: join(files, tokenizerConfigPath),
    tokensMax: model.tokensMax,
    pooling: model.pooling,
  }
}

function toVector({ id, dimensions }: LocalModel, values: Float32Array): Float32Array {
  const vector = toUnit(values)
  if (vector === undefined) throw new EmbedderError('The model answered something that is no vector')
  if (vector.length === dimensions) return vector
  throw new EmbedderError(`${id} answered ${vector.length} dimensions instead of ${dimensions}`)
}
