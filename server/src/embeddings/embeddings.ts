import type { EmbeddingsConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { createEmbedder } from './create-embedder.ts'
import type { Embedder } from './embedder.ts'
import { QueryVectors } from './query-vectors.ts'

/** What a process needs to make vectors. */
export type Embeddings = { embedder: Embedder; queries: QueryVectors }

const opened = new WeakMap<EmbeddingsConfig, Embeddings>()

/** The configured embedder, or undefined when there is none. Throws `ConfigError` when a local model cannot be used. */
export function embeddingsOf({ config, now }: Pick<Context, 'config' | 'now'>): Embeddings | undefined {
  if (config.embeddings === undefined) return undefined
  const known = opened.get(config.embeddings)
  if (known !== undefined) return known
  const embedder = createEmbedder(config.embeddings)
  const embeddings = { embedder, queries: new QueryVectors(embedder, config.embeddings.waitMs, now) }
  opened.set(config.embeddings, embeddings)
  return embeddings
}

export async function closeEmbeddings({ config }: Pick<Context, 'config'>): Promise<void> {
  if (config.embeddings === undefined) return
  await opened.get(config.embeddings)?.embedder.close()
  opened.delete(config.embeddings)
}
