import { type Config, type EmbeddingsConfig, embeddingsWaitMs } from '../config/config.ts'
import type { Choice } from './embedder-choice.ts'
import { findRuntime, type LocalSource, modelDirectory, runtimeDirectory } from './local-source.ts'
import { readModelKind } from './model-kinds.ts'

/** The embedder configuration of a choice; undefined for a local model that this version does not know. */
export function configOfChoice(
  config: Config,
  { provider, model, url, key }: Choice,
  local: LocalSource,
): EmbeddingsConfig | undefined {
  const { weight, queryPrefix, passagePrefix, dimensions } = readModelKind(model)
  const common = { queryPrefix, passagePrefix, weight, waitMs: embeddingsWaitMs }
  if (provider !== 'local') {
    if (url === undefined) return undefined
    // Ollama always returns the model's own dimensions.
    const wanted = provider === 'openai' ? dimensions : undefined
    return { ...common, source: { url, model, key, provider }, dimensions: wanted }
  }
  const known = local.models.find(({ id }) => id === model)
  if (known === undefined) return undefined
  const runtime = findRuntime(config, local, known)
  const installed = {
    model: known,
    files: modelDirectory(config, known.id),
    runtime: runtimeDirectory(config, runtime),
    library: runtime.library,
  }
  return { ...common, source: { installed }, dimensions: undefined }
}
