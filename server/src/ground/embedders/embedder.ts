import type { EmbeddingsConfig } from '../config/config.ts'

/** Models encode questions and passages differently. */
export type TextKind = 'query' | 'passage'

/** Computes vectors of texts. */
export type Embedder = {
  /** Covers everything that the vectors depend on; vectors of different identities cannot be compared. */
  identity: string
  /** The model's name for people. */
  model: string
  /** Texts per call, and concurrent calls, when there is much to do. */
  textsPerCall: number
  callsAtOnce: number
  /** Slow enough that only questions are asked which the words of the memory leave open. */
  isSlow?: boolean
  /** Returns a vector of length 1 for each text. Throws {@link EmbedderError}; stops when `signal` aborts. */
  embed: (texts: readonly string[], kind: TextKind, signal: AbortSignal) => Promise<Float32Array[]>
  close: () => Promise<void>
}

/** Why there are no vectors, worded for the operator of the server; without secrets. */
export class EmbedderError extends Error {
  override name = 'EmbedderError'
  /** True if only these texts were refused, and others may be accepted. */
  readonly isRefusal: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: { isRefusal?: boolean; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.isRefusal = options.isRefusal ?? false
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The input for a text: the model's prefix, and no more of the text than models read. */
export function toInput(config: EmbeddingsConfig, text: string, kind: TextKind): string {
  const prefix = kind === 'query' ? config.queryPrefix : config.passagePrefix
  // Half of a surrogate pair is no valid JSON for some servers.
  return prefix + text.slice(0, textLengthMax).replace(/[\ud800-\udbff]$/, '')
}

/** A passage has at most 100 words, but a "word" can be a page of base64. */
const textLengthMax = 2_000
