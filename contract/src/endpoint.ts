import type { z } from 'zod'
import type { OperationType } from './analytics.ts'
import type { Right } from './rights.ts'

/**
 * What a call requires beside good credentials: a right; a `session`, where a person changes what is their own; or
 * nothing more than a `credential`.
 */
export type Requirement = Right | 'session' | 'credential'

/** Who may call: anyone where it is `public`. */
export type Access = 'public' | Requirement

/** One call of the REST interface: the server validates by it, the client and the OpenAPI page are made of it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters. */
  path: string
  access: Access
  summary: string
  tag: string
  /** What a caller hears who may not, where the usual words do not fit. */
  refusal?: string
  /** About the account as a whole: the space that a call names, or is bound to, makes no difference. */
  spaceless?: boolean
  /** Open to members who lack the second factor that the account asks for: what they need to set one up, or to leave. */
  withoutSecondFactor?: boolean
  /** Only reads, whatever its method says. */
  reads?: boolean
  /**
   * Runs outside a transaction: it may have to wait for someone else's server, or counts attempts, which a refusal must
   * not take back.
   */
  remote?: boolean
  /** Request or answer holds a secret, so nothing of either is kept for a repeated `Idempotency-Key`. */
  secret?: boolean
  /** What a call counts as, where method and tag do not say it. */
  counts?: { type?: OperationType; resource?: string }
  /** Status of success. */
  status: 200 | 201 | 202 | 204
  /** Status with the same body when the work goes on after the answer. */
  statusOfUnfinished?: 202
  query?: z.ZodObject
  body?: z.ZodType
  /** Absent: no body (204), or not JSON. */
  response?: z.ZodType
  /** Media type of an answer that is not JSON. */
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
  Duplicates: 'duplicate',
  Connections: 'connection',
  'Import and export': 'graph',
}

/** What a call requires, and what it counts as in the analytics. */
export type Operation = {
  requires: Requirement
  type: OperationType
  /** The kind of thing that the call is about. */
  resource: string
  /** What a caller hears who may not, where the usual words do not fit. */
  refusal?: string | undefined
  withoutSecondFactor?: boolean
}

/** The operation that a call of an endpoint is; undefined for public ones, which nobody is counted for. */
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

/** Keeps the literal types of a table of endpoints. */
export function endpoints<const T extends Record<string, Endpoint>>(table: T): T {
  return table
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** `/api/entities/:id` has `{id: string}`. */
export type ParamsOf<E extends Endpoint> = { [Name in ParamNames<E['path']>]: string }
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined
type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a caller gives: query and body before validation; the bytes themselves where the body is not JSON. */
export type QueryInput<E extends Endpoint> = InputOf<E['query']>
export type BodyInput<E extends Endpoint> = E['consumes'] extends readonly string[]
  ? string | Blob | Uint8Array<ArrayBuffer> | ReadableStream
  : InputOf<E['body']>
/** What a handler receives: query and body after validation. */
export type QueryOutput<E extends Endpoint> = OutputOf<E['query']>
export type BodyOutput<E extends Endpoint> = OutputOf<E['body']>
/** The JSON of an answer. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing.
export type ResponseBody<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : void
