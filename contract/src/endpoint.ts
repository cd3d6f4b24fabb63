import type { z } from 'zod'
import type { OperationType } from './analytics.ts'
import type { Right } from './rights.ts'

/**
 * What a call requires besides valid credentials: a right; a `session`, where people change what is
 * their own; or only a `credential`.
 */
export type Requirement = Right | 'session' | 'credential'

/** Who can call; `public` is anyone. */
export type Access = 'public' | Requirement

/** Largest JSON body of a call that declares no other, in bytes: many times a name, a filter or a sign-up. */
export const plainBodyBytesMax = 96 * 1024
/** Largest JSON body of any call, in bytes. */
export const bodyBytesMax = 8 * 1024 * 1024
/** Most values in a JSON body: items of lists, fields of objects. */
export const bodyValuesMax = 40_000

/**
 * One call of the REST interface: the server validates with it, and the client and the OpenAPI page are
 * derived from it.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are written as `:name`. */
  path: string
  access: Access
  /** What else decides who can call, depending on what the call is about. */
  restriction?: string
  summary: string
  tag: string
  /** Message for a caller without the right, where the standard message does not fit. */
  refusal?: string
  /** Concerns the account as a whole: the space that a call names, or is bound to, is ignored. */
  spaceless?: boolean
  /**
   * Open to members who lack a second factor that the account requires: what they need to set one up,
   * or to leave.
   */
  withoutSecondFactor?: boolean
  /** What it changes can be proposed, by credentials whose changes wait for a review. Other writes are refused to them. */
  proposable?: boolean
  /** Read-only, whatever its method. */
  reads?: boolean
  /**
   * Runs outside a transaction: it may wait for an external server, or it counts attempts, which a
   * refusal must not roll back.
   */
  remote?: boolean
  /** Request or response holds a secret, so what is kept for a repeated `Idempotency-Key` can be opened only with that key. */
  secret?: boolean
  /** How a call is counted, if method and tag do not determine it. */
  counts?: { type?: OperationType; resource?: string }
  /** No operation of the plan: programs call it by themselves, as often as there is something new. */
  uncounted?: boolean
  /** Status on success. */
  status: 200 | 201 | 202 | 204
  /** Status with the same body if the work continues after the response. */
  statusOfUnfinished?: 202
  query?: z.ZodObject
  body?: z.ZodType
  /** Largest body, in bytes, where a legal one can exceed {@link plainBodyBytesMax}. */
  bodyBytesMax?: number
  /** If absent: no body (204), or not JSON. */
  response?: z.ZodType
  /** Media type of a response that is not JSON. */
  produces?: string
  /** More of them, which a parameter asks for. */
  producesToo?: readonly string[]
  /** Media types of a body that is not JSON; the handler reads it as a stream. */
  consumes?: readonly string[]
}

const typeByMethod = {
  GET: 'query',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
} as const
const resourceByTag: Record<string, string> = {
  Auth: 'account',
  Entities: 'entity',
  Relations: 'relation',
  'API keys': 'api_key',
  Spaces: 'space',
  Webhooks: 'webhook',
  Views: 'view',
  Shares: 'share',
  Duplicates: 'duplicate',
  Connections: 'connection',
  'Import and export': 'graph',
}

/** What a call requires and how analytics count it. */
export type Operation = {
  requires: Requirement
  type: OperationType
  /** The kind of thing that the call concerns. */
  resource: string
  /** Message for a caller without the right, where the standard message does not fit. */
  refusal?: string | undefined
  withoutSecondFactor?: boolean
}

/** The operation of an endpoint; undefined for public ones, which are not counted. */
export function operationOf(endpoint: Endpoint): Operation | undefined {
  const { access, refusal, counts, withoutSecondFactor = false } = endpoint
  if (access === 'public') return undefined
  return {
    requires: access,
    type: counts?.type ?? (endpoint.reads ? 'query' : typeByMethod[endpoint.method]),
    resource: counts?.resource ?? resourceByTag[endpoint.tag] ?? endpoint.tag.toLowerCase(),
    refusal,
    withoutSecondFactor,
  }
}

/** Preserves the literal types of a table of endpoints. */
export function endpoints<const T extends Record<string, Endpoint>>(table: T): T {
  return table
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** For `/api/entities/:id` this is `{id: string}`. */
export type ParamsOf<E extends Endpoint> = { [Name in ParamNames<E['path']>]: string }
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a caller passes: query and body before validation; the raw bytes if the body is not JSON. */
export type QueryInput<E extends Endpoint> = InputOf<E['query']>
export type BodyInput<E extends Endpoint> = E['consumes'] extends readonly string[]
  ? string | Blob | Uint8Array<ArrayBuffer> | ReadableStream
  : InputOf<E['body']>
/** What a handler receives: query and body after validation. */
export type QueryOutput<E extends Endpoint> = OutputOf<E['query']>
export type BodyOutput<E extends Endpoint> = OutputOf<E['body']>
/** The JSON of a response. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing.
export type ResponseBody<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : void
