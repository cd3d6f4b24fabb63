import type { EmbeddingsConfig } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { createHttpEmbedder } from './http-embedder.ts'
import { createLocalEmbedder } from './local-embedder.ts'

/** Throws `ConfigError` when a local model cannot be used. */
export function createEmbedder(config: EmbeddingsConfig): Embedder {
  const { source } = config
  return 'dir' in source ? createLocalEmbedder(config, source.dir) : createHttpEmbedder(config, source)
}
