import type { Api, OperationId } from '@loci/contract/api'
import type { BodyInput, Endpoint, ParamsOf, QueryInput, ResponseBody } from '@loci/contract/endpoint'
import type { ErrorBody, ErrorCode } from '@loci/contract/errors'
import { toPathSegment } from '@loci/contract/path-segment'

/** A response with status 400 or above. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly details: Record<string, unknown>[]

  constructor(status: number, error: ErrorBody['error']) {
    super(error.message)
    this.status = status
    this.code = error.code
    this.details = error.details ?? []
  }
}

type Whole<T> = { [K in keyof T]: T[K] }
type Part<Key extends string, T> = [T] extends [undefined]
  ? unknown
  : Partial<T> extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T }

/** Input of a call: `params`, `query` and `body`, each only if the endpoint has it. */
export type CallInput<E extends Endpoint> = Whole<
  (keyof ParamsOf<E> extends never ? unknown : { params: ParamsOf<E> }) &
    Part<'query', QueryInput<E>> &
    Part<'body', BodyInput<E>> & {
      /** Extra headers, such as `Idempotency-Key` and `If-Match`. */
      headers?: Record<string, string>
      signal?: AbortSignal
      /** Called with the headers of a successful response, e.g. to read `ETag`. */
      onHeaders?: (headers: Headers) => void
    }
>

/** The response's JSON; for other media types the `Response` itself, with its body unread. */
type Answer<E extends Endpoint> = E['produces'] extends string ? Response : ResponseBody<E>

type Call<E extends Endpoint> =
  Partial<CallInput<E>> extends CallInput<E>
    ? (input?: CallInput<E>) => Promise<Answer<E>>
    : (input: CallInput<E>) => Promise<Answer<E>>

/** One method per REST call. Each throws {@link ApiError} for a response of 400 or above. */
export type RestClient = { [Id in OperationId]: Call<Api[Id]> }

export type RestOptions = {
  /** Address of the server, such as `http://127.0.0.1:7400`; empty for the page's own origin. */
  baseUrl: string
  /** Returns the bearer token; called before each request. */
  token?: () => string | undefined
  /** Returns headers such as `Loci-Space`; called before each request. */
  headers?: () => Record<string, string>
  /** Called with every response of 400 or above before it is thrown. */
  onError?: (error: ApiError) => void
  fetch?: typeof fetch
}

type AnyInput = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  onHeaders?: (headers: Headers) => void
}

/** The part of the contract that a call needs at run time. */
export type RestTable = Record<OperationId, Pick<Endpoint, 'method' | 'path' | 'consumes' | 'produces'>>

/** Creates a client from a table of calls; `createRestClient` uses the contract's own table. */
export function createClient(table: RestTable, options: RestOptions): RestClient {
  const calls = Object.entries(table).map(([id, endpoint]) => [
    id,
    (input: AnyInput = {}) => call(options, endpoint, input),
  ])
  return Object.fromEntries(calls) as RestClient
}

async function call(
  options: RestOptions,
  endpoint: RestTable[OperationId],
  input: AnyInput,
): Promise<unknown> {
  const token = options.token?.()
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(input.body === undefined ? {} : { 'content-type': endpoint.consumes?.[0] ?? 'application/json' }),
    ...options.headers?.(),
    ...input.headers,
  }
  const response = await (options.fetch ?? fetch)(options.baseUrl + pathOf(endpoint, input), {
    method: endpoint.method,
    headers,
    ...bodyOf(endpoint, input),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  })
  if (!response.ok) {
    const error = errorOf(response.status, await response.text())
    options.onError?.(error)
    throw error
  }
  input.onHeaders?.(response.headers)
  if (endpoint.produces !== undefined) return response
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

function bodyOf(endpoint: RestTable[OperationId], { body }: AnyInput): RequestInit & { duplex?: 'half' } {
  if (body === undefined) return {}
  if (endpoint.consumes === undefined) return { body: JSON.stringify(body) }
  // A stream as the body requires `duplex` (https://fetch.spec.whatwg.org/#dom-requestinit-duplex).
  return { body: body as ReadableStream, duplex: 'half' }
}

function pathOf(endpoint: RestTable[OperationId], input: AnyInput): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    toPathSegment(input.params?.[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

function errorOf(status: number, text: string): ApiError {
  const body = parseJson(text)
  return new ApiError(
    status,
    isErrorBody(body) ? body.error : { code: 'internal', message: `The server answered ${status}` },
  )
}

/** Checked by hand so that a page using this client need not load the validators for one shape. */
function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | null | undefined)?.error
  return typeof error?.code === 'string' && typeof error.message === 'string'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
