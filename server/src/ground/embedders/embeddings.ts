import type { EmbeddingsInstallation } from '@loci/contract/embeddings'
import type { Config, EmbeddingsConfig } from '../config/config.ts'
import type { SecretBox } from '../lib/secrets.ts'
import { configOfChoice } from './config-of-choice.ts'
import { createEmbedder } from './create-embedder.ts'
import type { Embedder } from './embedder.ts'
import { type Choice, readChoice, stampOfChoice } from './embedder-choice.ts'
import { type LocalSource, localSourceOf } from './local-source.ts'
import { QueryVectors } from './query-vectors.ts'

/** What a process needs to compute vectors. */
export type Embeddings = {
  embedder: Embedder
  queries: QueryVectors
  /** Weight of similarity of meaning in a search. */
  weight: number
}

/**
 * The embedder of this process: set by environment variables, otherwise chosen, by any process. The choice can change
 * while the process runs.
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
  /** The installation that this process runs, or that failed last. */
  installation: EmbeddingsInstallation | undefined

  constructor(config: Config, now: () => number) {
    this.#config = config
    this.#now = now
    this.local = localSourceOf(config)
  }

  /** True while environment variables set the embedder. */
  get isFixed(): boolean {
    return this.#config.embeddings !== undefined
  }

  /** Undefined if there is no embedder. Throws `ConfigError` if a folder named by the environment cannot be used. */
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

  /** Reads the choice if it has changed, and then notifies the listeners. */
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

  /**
   * Calls `listener` while the previous embedder can still be closed in order; returns a function that unsubscribes.
   */
  onChange(listener: () => Promise<void>): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    await this.#opened?.embedder.close()
    this.#opened = undefined
  }
}
