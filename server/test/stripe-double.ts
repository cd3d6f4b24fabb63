import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type Stripe from 'stripe'
import type { StripeConfig } from '../src/ground/config/config-billing.ts'
import { Refused } from './stripe-double-billing.ts'
import { calls, newState, type Params, type PartOf } from './stripe-double-calls.ts'

/** A request that the SDK sent. */
export type SentRequest = {
  method: string
  path: string
  params: Params
  headers: IncomingMessage['headers']
}

type Refusal = { status: number; error: Record<string, unknown> }
type Reply = { status: number; body: string }

/** The API version that the double imitates. */
const apiVersion = '2026-10-28.endive'
const secretKey = 'sk_test_double'
const webhookSecret = 'whsec_test'
const prices = {
  starter: 'price_starter',
  'starter-annual': 'price_starter_year',
  pro: 'price_pro',
  'pro-annual': 'price_pro_year',
  'power-user': 'price_power_user',
  'power-user-annual': 'price_power_user_year',
}

/** A small in-memory part of the Stripe API, with its shapes and its strictness; it records the requests. */
export async function startStripeDouble(now: () => number) {
  const requests: SentRequest[] = []
  const state = newState(now)
  const once = rememberAnswers()
  /** Refuses the next request to a path. */
  const refusals = new Map<string, Refusal>()
  /** The next response from a path is computed at once, but sent only after this promise. */
  const delays = new Map<string, Promise<void>>()
  /** While set, every request is refused. */
  const trouble: { outage: Refusal | undefined } = { outage: undefined }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const params = parseForm((await text(request)) || url.search.slice(1))
    const sent = { method: request.method ?? '', path: url.pathname, params, headers: request.headers }
    requests.push(sent)
    const name = `${sent.method} ${sent.path}`
    const refusal = complaintAbout(sent) ?? trouble.outage ?? refusals.get(name)
    const delay = delays.get(name)
    refusals.delete(name)
    delays.delete(name)
    const reply = refusal === undefined ? once(sent, () => answer(sent)) : replyWith(refusal)
    await delay
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(reply.body)
  })
  const answer = ({ method, path, params }: SentRequest) => {
    const { name, id } = callOf(method, path)
    return calls[name]?.answer(state, id, params)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const config: StripeConfig = {
    secretKey,
    publishableKey: 'pk_test_double',
    webhookSecret,
    prices,
    automaticTax: true,
    apiUrl: `http://127.0.0.1:${port}`,
  }
  return {
    config,
    requests,
    refusals,
    delays,
    set outage(refusal: Refusal | undefined) {
      trouble.outage = refusal
    },
    state,
    /** The requests to a path, oldest first. */
    sentTo(method: string, path: string | RegExp): SentRequest[] {
      return requests.filter(
        (sent) =>
          sent.method === method && (typeof path === 'string' ? sent.path === path : path.test(sent.path)),
      )
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type StripeDouble = Awaited<ReturnType<typeof startStripeDouble>>

/** `POST`, `/v1/invoices/in_1/pay` is the call `POST invoices/:id/pay` on `in_1`. */
function callOf(method: string, path: string): { name: string; id: string } {
  const [resource = '', id, action] = path
    .replace('/v1/', '')
    .replace(/^(checkout|invoices)\/(sessions|create_preview)/, '$1-$2')
    .split('/')
  const rest = [...(id === undefined ? [] : [':id']), ...(action === undefined ? [] : [action])]
  return { name: `${method} ${[resource, ...rest].join('/')}`, id: id ?? '' }
}

const refused = (code: string, message: string): Refusal => ({
  status: 400,
  error: { type: 'invalid_request_error', code, message },
})
const replyWith = ({ status, error }: Refusal): Reply => ({ status, body: JSON.stringify({ error }) })

/** Problems that Stripe or we reject in any call: another version, a missing key, an unknown parameter. */
function complaintAbout({ method, path, params, headers }: SentRequest): Refusal | undefined {
  if (headers['stripe-version'] !== apiVersion) return refused('api_version', 'This is another API version')
  if (headers.authorization !== `Bearer ${secretKey}`) return refused('api_key', 'Invalid API Key')
  if (method === 'POST' && !headers['idempotency-key']) return refused('no_key', 'This cannot be repeated')
  if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded') {
    return refused('body', 'This is not a form')
  }
  const { name } = callOf(method, path)
  const takes = calls[name]?.takes
  if (takes === undefined) return refused('url_invalid', `Unrecognized request URL (${name})`)
  const unknown = namesOf(params).find((param) => !takes.includes(param))
  return unknown === undefined ? undefined : refused('parameter_unknown', `Unknown parameter: ${unknown}`)
}

/** `{a: {0: {b: 'c'}}}` has the name `a.b`; names within `metadata` are ours to choose. */
function namesOf(params: Params, prefix = ''): string[] {
  return Object.entries(params).flatMap(([key, value]) => {
    const name = /^\d+$/.test(key) ? prefix : prefix === '' ? key : `${prefix}.${key}`
    return typeof value === 'string' || key === 'metadata' ? [name] : namesOf(value, name)
  })
}

/** Stripe repeats its response for a known idempotency key, and refuses another request under that key. */
function rememberAnswers() {
  const known = new Map<string, Reply & { sent: string }>()
  return ({ method, path, params, headers }: SentRequest, answer: () => unknown): Reply => {
    const key = method === 'POST' ? String(headers['idempotency-key']) : undefined
    const sent = JSON.stringify([path, params])
    const before = key === undefined ? undefined : known.get(key)
    if (before !== undefined && before.sent !== sent) {
      return replyWith({
        status: 400,
        error: { type: 'idempotency_error', message: 'Another call had this key' },
      })
    }
    const reply = before ?? replyTo(answer)
    if (key !== undefined) known.set(key, { ...reply, sent })
    return reply
  }
}

/** A refused request changes nothing. */
function replyTo(answer: () => unknown): Reply {
  try {
    return replyOf(answer())
  } catch (error) {
    if (error instanceof Refused) return replyWith(error)
    throw error
  }
}

function replyOf(answer: unknown): Reply {
  if (answer !== undefined) return { status: 200, body: JSON.stringify(answer) }
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' }
  return replyWith({ status: 404, error })
}

/** `a[b][0]=c` is `{a: {b: {0: 'c'}}}`. */
function parseForm(form: string): Params {
  const params: Params = {}
  for (const [name, value] of new URLSearchParams(form)) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== '')
    const last = keys.pop() ?? ''
    let target = params
    for (const key of keys) {
      const known = target[key]
      const next = typeof known === 'object' ? known : {}
      target[key] = next
      target = next
    }
    target[last] = value
  }
  return params
}

export type EventType = Stripe.Event.Type
/** The objects of events of a type, and their previous attributes. */
export type SubjectOf<T extends EventType> = PartOf<Extract<Stripe.Event, { type: T }>['data']['object']>

type SentEvent = { id: string; type: EventType; object: unknown; previous?: unknown }

/** The body of an event and the header with which Stripe signs it (https://docs.stripe.com/webhooks#verify-manually). */
export function signEvent(event: SentEvent, at: number, secret = webhookSecret) {
  const { id, type, object, previous } = event
  const timestamp = Math.floor(at / 1_000)
  const body = JSON.stringify({
    id,
    object: 'event',
    api_version: apiVersion,
    created: timestamp,
    data: { object, ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  })
  return signBody(body, at, secret)
}

/** Any body, signed as Stripe does. */
export function signBody(body: string, at: number, secret = webhookSecret) {
  const timestamp = Math.floor(at / 1_000)
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { body, signature: `t=${timestamp},v1=${signature}` }
}
