import { z } from 'zod'
import { IsoDateTime } from './text.ts'

/**
 * `off`: search uses words only; `built_in`: no model is configured, and search compares the meaning of single words;
 * `unreachable`: the last attempt to make vectors failed, so search uses words only.
 */
export const EmbeddingsState = z.enum(['off', 'built_in', 'catching_up', 'ready', 'unreachable'])
export type EmbeddingsState = z.infer<typeof EmbeddingsState>

/** Search by meaning: progress of the vectors of the caller's memory. */
export const EmbeddingsStatus = z.object({
  state: EmbeddingsState,
  /** Null when off or built in. */
  model: z.string().nullable(),
  /** Dimensions of a vector; null until the first one is made. */
  dimensions: z.number().int().nullable(),
  /** Texts with and without a vector; a long observation is split into several texts. */
  embedded: z.number().int(),
  waiting: z.number().int(),
  /** Why the last attempt failed, fit to show to a person; null if it succeeded. */
  failure: z.object({ message: z.string(), at: IsoDateTime }).nullable(),
})
export type EmbeddingsStatus = z.infer<typeof EmbeddingsStatus>

export const LocalModelId = z.enum(['bge-small-en-v1.5', 'multilingual-e5-small', 'use-lite-en'])
export type LocalModelId = z.infer<typeof LocalModelId>

/** What makes the vectors: the server itself, Ollama, or a server that implements OpenAI's `/embeddings`. */
export const EmbeddingsProvider = z.enum(['local', 'ollama', 'openai'])
export type EmbeddingsProvider = z.infer<typeof EmbeddingsProvider>

const address = z
  .string()
  .max(2_000)
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be an address that begins with http:// or https://',
  })
  .refine((value) => !URL.canParse(value) || `${new URL(value).username}${new URL(value).password}` === '', {
    error: 'must not contain a password',
  })
const model = z.string().trim().min(1).max(200)
/** Sent to the server as a bearer token; never shown again. */
const key = z
  .string()
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, 'must be one word of plain characters')

/** What makes the vectors. */
export const ChooseEmbeddings = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('local'), model: LocalModelId }),
  z.object({ provider: z.literal('ollama'), url: address, model, key: key.optional() }),
  z.object({ provider: z.literal('openai'), url: address, model, key: key.optional() }),
])
export type ChooseEmbeddings = z.infer<typeof ChooseEmbeddings>

/** Progress of downloading a local model. */
export const EmbeddingsInstallation = z.object({
  model: LocalModelId,
  /** `model`: its files; `runtime`: the packages that run it; `trial`: the first vector. */
  step: z.enum(['model', 'runtime', 'trial']),
  /** Bytes of the model's files. */
  bytesDone: z.number().int(),
  bytes: z.number().int(),
  /** Why it ended without a model, fit to show to a person; null while it runs. */
  failure: z.string().nullable(),
})
export type EmbeddingsInstallation = z.infer<typeof EmbeddingsInstallation>

/** What the owner of a server chose to make vectors with. */
export const EmbeddingsChoice = z.object({
  /** Whether the caller can choose: only if the server serves the caller alone. */
  isOffered: z.boolean(),
  /** True if environment variables determine this: they override the choice. */
  isFixed: z.boolean(),
  /** Null if nothing is chosen. */
  chosen: z
    .object({
      provider: EmbeddingsProvider,
      model: z.string(),
      /** Null for a local model. */
      url: z.string().nullable(),
      hasKey: z.boolean(),
    })
    .nullable(),
  /** Null if nothing is being installed. */
  installation: EmbeddingsInstallation.nullable(),
})
export type EmbeddingsChoice = z.infer<typeof EmbeddingsChoice>
