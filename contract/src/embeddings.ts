import { z } from 'zod'
import { IsoDateTime } from './text.ts'

/** `off`: none configured; `unreachable`: the newest try to make vectors failed, and searches go by words. */
export const EmbeddingsState = z.enum(['off', 'catching_up', 'ready', 'unreachable'])
export type EmbeddingsState = z.infer<typeof EmbeddingsState>

/** Search by meaning: how far the vectors of the caller's memory are made. */
export const EmbeddingsStatus = z.object({
  state: EmbeddingsState,
  /** Null when off. */
  model: z.string().nullable(),
  /** Numbers in a vector; null until the first one was made. */
  dimensions: z.number().int().nullable(),
  /** Texts with and without a vector; a long observation is several texts. */
  embedded: z.number().int(),
  waiting: z.number().int(),
  /** Why the newest try failed, fit to show to a person; null when it did not. */
  failure: z.object({ message: z.string(), at: IsoDateTime }).nullable(),
})
export type EmbeddingsStatus = z.infer<typeof EmbeddingsStatus>
