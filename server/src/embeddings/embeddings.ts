import type { EmbeddingsInstallation } from '@loci/contract/embeddings'
import type { Config, EmbeddingsConfig } from '../config.ts'
import type { SecretBox } from '../lib/secrets.ts'
import { type Choice, readChoice, stampOfChoice } from './choice.ts'
import { configOfChoice } from './config-of-choice.ts'
import { createEmbedder } from './create-embedder.ts'
import type { Embedder } from './embedder.ts'
import { type LocalSource, localSourceOf } from './local-source.ts'
import { QueryVectors } from './query-vectors.ts'

/** What a process needs to make vectors. */
export type Embeddings = {
  embedder: Embedder
  queries: QueryVectors
  /** How much likeness of meaning counts in a search. */
  weight: number
}

/**
 * What makes vectors in this process: what environment variables say, else what was chosen, by whichever process. The
 * choice may change while the process runs.
 */
export class EmbeddingsHost {
  readonly #config: Config
  readonly #now: () => number
  readonly #listeners = new Set<() => Promise<void>>()
  #opened: (Embeddings & { config: EmbeddingsConfig }) | undefined
  #stamp: string | undefined
  #chosenConfig: EmbeddingsConfig | undefined
  chosen: Choice | undefined
  /** Where local models come from. */
  local: LocalSource
  /** What this process installs, or failed to install last. */
  installation: EmbeddingsInstallation | undefined

  constructor(config: Config, now: () => number) {
    this.#config = config
    this.#now = now
    this.local = localSourceOf(config)
  }

  /** True while environment variables say what makes vectors. */
  get isFixed(): boolean {
    return this.#config.embeddings !== undefined
  }

  /** Undefined when nothing makes vectors. Throws `ConfigError` when a folder named by the environment cannot be used. */
  get current(): Embeddings | undefined {
    const config = this.#config.embeddings ?? this.#chosenConfig
    if (config === undefined) return undefined
    if (this.#opened?.config !== config) {
      const embedder = createEmbedder(config)
      const queries = new QueryVectors(embedder, config.waitMs, this.#now)
      this.#opened = { config, embedder, queries, weight: config.weight }
    }
    return this.#opened
  }

  /** Reads the choice if it has changed, and then tells those who listen. */
  async refresh(secretBox: SecretBox): Promise<void> {
    const stamp = await stampOfChoice(this.#config)
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    this.chosen = await readChoice(this.#config, secretBox)
    this.#chosenConfig =
      this.chosen === undefined ? undefined : configOfChoice(this.#config, this.chosen, this.local)
    if (this.isFixed) return
    const former = this.#opened
    for (const listener of this.#listeners) await listener()
    await former?.embedder.close()
  }

  /** Called while what made vectors can still be closed in order; answers how to listen no more. */
  onChange(listener: () => Promise<void>): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    await this.#opened?.embedder.close()
    this.#opened = undefined
  }
}
