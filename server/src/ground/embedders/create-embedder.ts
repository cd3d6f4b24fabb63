import type { EmbeddingsConfig } from '../config/config.ts'
import type { Embedder } from './embedder.ts'
import { createHttpEmbedder } from './http-embedder.ts'
import { createInstalledEmbedder } from './installed-embedder.ts'
import { createLocalEmbedder } from './local-embedder.ts'

/** Throws `ConfigError` if a folder named by the environment cannot be used. */
export function createEmbedder(config: EmbeddingsConfig): Embedder {
  const { source } = config
  if ('dir' in source) return createLocalEmbedder(config, source.dir)
  if ('installed' in source) return createInstalledEmbedder(config, source.installed)
  return createHttpEmbedder(config, source)
}
