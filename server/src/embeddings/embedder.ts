import type { EmbeddingsConfig } from '../config.ts'

/** Models read questions and what answers them in different ways. */
export type TextKind = 'query' | 'passage'

/** Makes vectors of texts. */
export type Embedder = {
  /** All that its vectors depend on; those of another identity cannot be compared with them. */
  identity: string
  /** The model, for people. */
  model: string
  /** Texts in one call, and calls at a time, when there is much to do. */
  textsPerCall: number
  callsAtOnce: number
  /** A vector of length 1 for each text. Throws {@link EmbedderError}; stops when `signal` says so. */
  embed: (texts: readonly string[], kind: TextKind, signal: AbortSignal) => Promise<Float32Array[]>
  close: () => Promise<void>
}

/** Why there are no vectors, in words for the person who runs the server; without secrets. */
export class EmbedderError extends Error {
  override name = 'EmbedderError'
  /** True when these texts were refused, and others may not be. */
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

/** What is asked for a text: the model's prefix and no more of the text than models read. */
export function toInput(config: EmbeddingsConfig, text: string, kind: TextKind): string {
  const prefix = kind === 'query' ? config.queryPrefix : config.passagePrefix
  return prefix + text.slice(0, textLengthMax)
}

/** A passage has at most 100 words, but what counts as a word may be a page of base64. */
const textLengthMax = 2_000
