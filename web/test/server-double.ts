import { type Api, api, type OperationId } from '@loci/contract/api'
import type { Endpoint, ResponseBody } from '@loci/contract/endpoint'
import { type ErrorCode, errorStatus } from '@loci/contract/errors'
import { expect, onTestFinished, vi } from 'vitest'

/** A call of the REST interface by a screen, validated against the contract. */
export type Call = {
  id: OperationId
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  headers: Headers
}

/** A response that is not JSON is its text. */
type Body<Id extends OperationId> = Api[Id] extends { produces: string } ? string : ResponseBody<Api[Id]>
type Reply<Id extends OperationId> = Body<Id> | WithHeaders<Body<Id>> | Refusal
type Answer<Id extends OperationId> = Reply<Id> | ((call: Call) => Reply<Id> | Promise<Reply<Id>>)

/** What the server answers, by operation. */
export type Answers = { [Id in OperationId]?: Answer<Id> }

/** An answer with an error. */
export class Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Record<string, unknown>[]

  constructor(code: ErrorCode, message: string, details: Record<string, unknown>[] = []) {
    this.code = code
    this.message = message
    this.details = details
  }
}

/** An answer with headers, such as `ETag`. */
export class WithHeaders<Body> {
  readonly headers: Record<string, string>
  readonly body: Body

  constructor(headers: Record<string, string>, body: Body) {
    this.headers = headers
    this.body = body
  }
}

export type ServerDouble = {
  /** Calls so far, in order. */
  calls: Call[]
  /** The calls of an operation, in order. */
  callsOf: (id: OperationId) => Call[]
  /** Adds or replaces answers. */
  answer: (more: Answers) => void
  /** Whether calls reach it; they fail like a lost connection otherwise. */
  isReachable: boolean
}

/**
 * Replaces `fetch` for the running test with a server that knows only these answers. Requests and answers are checked
 * against the contract, so neither a screen nor a test can depend on a call that the server does not have. The test
 * fails if a call has no answer or is against the contract.
 */
export function serve(answers: Answers): ServerDouble {
  const known: Record<string, unknown> = { ...answers }
  const unanswered: string[] = []
  const broken: string[] = []
  const double: ServerDouble = {
    calls: [],
    callsOf: (id) => double.calls.filter((call) => call.id === id),
    answer: (more) => void Object.assign(known, more),
    isReachable: true,
  }
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(new URL(String(input), 'http://loci.test'), init)
    if (!double.isReachable) throw new TypeError('Failed to fetch')
    const { pathname } = new URL(request.url)
    if (pathname === '/healthz') return Response.json({ status: 'ok' })
    const call = await readCall(request).catch((error: unknown) => {
      broken.push(`${request.method} ${pathname}: ${String(error)}`)
      throw error
    })
    double.calls.push(call)
    if (!(call.id in known)) {
      unanswered.push(call.id)
      return toResponse(call.id, new Refusal('internal', `The test has no answer for ${call.id}`))
    }
    const answer = known[call.id]
    return toResponse(call.id, typeof answer === 'function' ? await answer(call) : answer)
  })
  onTestFinished(() => expect({ unanswered, broken }).toEqual({ unanswered: [], broken: [] }))
  return double
}

async function readCall(request: Request): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url)
  const [id, endpoint, params] = endpointOf(request.method, pathname)
  const query = Object.fromEntries(searchParams)
  endpoint.query?.parse(query)
  const text = await request.text()
  const body = text === '' || endpoint.consumes !== undefined ? text : JSON.parse(text)
  endpoint.body?.parse(body)
  return { id, params, query, body, headers: request.headers }
}

function endpointOf(method: string, path: string): [OperationId, Endpoint, Record<string, string>] {
  const parts = path.split('/')
  for (const [id, endpoint] of Object.entries<Endpoint>(api)) {
    const names = endpoint.path.split('/')
    const isSame = names.every(
      (name, index) => name === parts[index] || (name.startsWith(':') && parts[index]),
    )
    if (endpoint.method !== method || names.length !== parts.length || !isSame) continue
    const named = names.flatMap((name, index): [string, string][] =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[index]!)]] : [],
    )
    return [id as OperationId, endpoint, Object.fromEntries(named)]
  }
  throw new Error(`The contract has no ${method} ${path}`)
}

function toResponse(id: OperationId, answer: unknown): Response {
  if (answer instanceof WithHeaders) {
    const response = toResponse(id, answer.body)
    for (const [name, value] of Object.entries(answer.headers)) response.headers.set(name, value)
    return response
  }
  if (answer instanceof Refusal) {
    const { code, message, details } = answer
    return Response.json({ error: { code, message, details } }, { status: errorStatus[code] })
  }
  const { response, produces } = api[id] as Endpoint
  if (produces !== undefined) return new Response(String(answer), { headers: { 'content-type': produces } })
  if (response === undefined) return new Response(null, { status: 204 })
  return Response.json(response.parse(answer))
}
