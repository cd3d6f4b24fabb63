import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { StripeConfig } from '../src/config.ts'

type Params = { [key: string]: string | Params }
type Thing = Record<string, unknown> & { id: string }

/** What the SDK sent. */
export type SentRequest = {
  method: string
  path: string
  params: Params
  headers: IncomingMessage['headers']
}

type Refusal = { status: number; error: Record<string, unknown> }

const prices = {
  starter: 'price_starter',
  'starter-annual': 'price_starter_year',
  pro: 'price_pro',
  'pro-annual': 'price_pro_year',
}
const webhookSecret = 'whsec_test'

/** A small part of the Stripe API in memory, with its shapes; it remembers what it was sent. */
export async function startStripeDouble(now: () => number) {
  const requests: SentRequest[] = []
  const state = newState(now)
  /** Answers the next request to a path with a refusal. */
  const refusals = new Map<string, Refusal>()
  /** The next answer to a path is made at once, but sent only after this. */
  const delays = new Map<string, Promise<void>>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const params = parseForm((await text(request)) || url.search.slice(1))
    const sent = { method: request.method ?? '', path: url.pathname, params, headers: request.headers }
    requests.push(sent)
    const name = `${sent.method} ${sent.path}`
    const refusal = refusals.get(name)
    const delay = delays.get(name)
    refusals.delete(name)
    delays.delete(name)
    const body = structuredClone(refusal === undefined ? answer(state, sent) : { error: refusal.error })
    await delay
    response.writeHead(refusal?.status ?? (body === undefined ? 404 : 200), {
      'content-type': 'application/json',
    })
    response.end(
      JSON.stringify(
        body ?? {
          error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' },
        },
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const config: StripeConfig = {
    secretKey: 'sk_test_double',
    publishableKey: 'pk_test_double',
    webhookSecret,
    prices,
    apiUrl: `http://127.0.0.1:${port}`,
  }
  return {
    config,
    requests,
    refusals,
    delays,
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

/** The body of an event and the header with which Stripe signs it (https://docs.stripe.com/webhooks#verify-manually). */
export function signEvent(
  event: { id: string; type: string; object: unknown },
  at: number,
  secret = webhookSecret,
) {
  const { id, type, object } = event
  const body = JSON.stringify({
    id,
    object: 'event',
    type,
    data: { object },
    created: Math.floor(at / 1_000),
  })
  const timestamp = Math.floor(at / 1_000)
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { body, signature: `t=${timestamp},v1=${signature}` }
}

type State = ReturnType<typeof newState>

function newState(now: () => number) {
  let count = 0
  const seconds = () => Math.floor(now() / 1_000)
  const customers = new Map<string, Thing>()
  const subscriptions = new Map<string, Thing>()
  const schedules = new Map<string, Thing>()
  const cards = new Map<string, Thing>()
  const invoices = new Map<string, Thing>()
  const newId = (prefix: string) => `${prefix}_${++count}`
  const itemOf = (price: string, start: number, end: number) => ({
    id: newId('si'),
    object: 'subscription_item',
    price: { id: price, object: 'price' },
    current_period_start: start,
    current_period_end: end,
  })
  return {
    seconds,
    newId,
    customers,
    subscriptions,
    schedules,
    cards,
    invoices,
    itemOf,
    addCard(customer: string): string {
      const id = newId('pm')
      const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2090 }
      cards.set(id, { id, object: 'payment_method', type: 'card', customer, card, created: seconds() })
      return id
    },
    addSubscription(customer: string, price: string, trialDays = 0): string {
      const id = newId('sub')
      const start = seconds()
      const end = start + (trialDays || 30) * 86_400
      subscriptions.set(id, {
        id,
        object: 'subscription',
        customer,
        status: trialDays > 0 ? 'trialing' : 'active',
        cancel_at_period_end: false,
        trial_end: trialDays > 0 ? end : null,
        schedule: null,
        default_payment_method: null,
        items: { object: 'list', data: [itemOf(price, start, end)] },
      })
      return id
    },
    addInvoice(customer: string, total: number, status: string): string {
      const id = newId('in')
      invoices.set(id, {
        id,
        object: 'invoice',
        customer,
        number: `A-${id}`,
        total,
        status,
        created: seconds(),
        hosted_invoice_url: `https://invoice.stripe.test/${id}`,
        invoice_pdf: `https://invoice.stripe.test/${id}.pdf`,
      })
      return id
    },
  }
}

const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })

function answer(state: State, { method, path, params }: SentRequest): unknown {
  const [resource = '', id = '', action] = path.replace('/v1/', '').split('/')
  const ofCustomer = (things: Map<string, Thing>) =>
    [...things.values()].filter((thing) => thing.customer === params.customer).reverse()
  switch (`${method} ${resource}${id === '' ? '' : '/'}${action ?? ''}`) {
    case 'POST customers': {
      const customer = { id: state.newId('cus'), object: 'customer', invoice_settings: {}, ...params }
      state.customers.set(customer.id, customer)
      return customer
    }
    case 'GET customers/':
      return state.customers.get(id) ?? { id, object: 'customer', deleted: true }
    case 'POST customers/':
      return Object.assign(state.customers.get(id) ?? {}, params)
    case 'DELETE customers/':
      for (const subscription of state.subscriptions.values()) subscription.status = 'canceled'
      return state.customers.delete(id) ? { id, object: 'customer', deleted: true } : undefined
    case 'GET customers/payment_methods':
      return list([...state.cards.values()].filter((card) => card.customer === id))
    case 'POST payment_methods/detach': {
      const card = state.cards.get(id)
      state.cards.delete(id)
      return card
    }
    case 'POST setup_intents':
      return { id: 'seti_1', object: 'setup_intent', client_secret: 'seti_1_secret_x' }
    case 'POST checkout/':
      return { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.test/cs_1' }
    case 'GET subscriptions':
      return list(
        ofCustomer(state.subscriptions).map((subscription) => ({
          ...subscription,
          schedule: state.schedules.get(String(subscription.schedule)) ?? null,
        })),
      )
    case 'GET subscriptions/':
      return state.subscriptions.get(id)
    case 'POST subscriptions/':
      return updateSubscription(state, id, params)
    case 'DELETE subscriptions/':
      return Object.assign(state.subscriptions.get(id) ?? {}, { status: 'canceled' })
    case 'POST subscription_schedules':
      return createSchedule(state, String(params.from_subscription))
    case 'POST subscription_schedules/':
      return updateSchedule(state, id, params)
    case 'POST subscription_schedules/release':
      for (const subscription of state.subscriptions.values()) {
        if (subscription.schedule === id) subscription.schedule = null
      }
      return state.schedules.get(id)
    case 'GET invoices':
      return list(
        ofCustomer(state.invoices).filter(
          (invoice) => params.status === undefined || invoice.status === params.status,
        ),
      )
    case 'POST invoices/pay':
      return Object.assign(state.invoices.get(id) ?? {}, { status: 'paid' })
    default:
      return undefined
  }
}

function updateSubscription(state: State, id: string, params: Params): Thing | undefined {
  const subscription = state.subscriptions.get(id)
  if (subscription === undefined) return undefined
  if (params.cancel_at_period_end !== undefined) {
    subscription.cancel_at_period_end = params.cancel_at_period_end === 'true'
  }
  if (params.default_payment_method !== undefined) {
    subscription.default_payment_method = params.default_payment_method
  }
  const price = at(at(params.items, '0'), 'price')
  if (typeof price === 'string') {
    const start = state.seconds()
    subscription.items = { object: 'list', data: [state.itemOf(price, start, start + 30 * 86_400)] }
  }
  return subscription
}

function createSchedule(state: State, subscriptionId: string): Thing | undefined {
  const subscription = state.subscriptions.get(subscriptionId)
  if (subscription === undefined) return undefined
  const id = state.newId('sub_sched')
  const phases = [{ start_date: state.seconds(), items: [] }]
  const schedule = { id, object: 'subscription_schedule', phases }
  state.schedules.set(id, schedule)
  subscription.schedule = id
  return schedule
}

function updateSchedule(state: State, id: string, params: Params): Thing | undefined {
  const end = Number(at(at(params.phases, '0'), 'end_date'))
  const priceOf = (phase: string) => at(at(at(at(params.phases, phase), 'items'), '0'), 'price')
  const phases = [
    {
      start_date: Number(at(at(params.phases, '0'), 'start_date')),
      end_date: end,
      items: [{ price: priceOf('0') }],
    },
    { start_date: end, items: [{ price: priceOf('1') }] },
  ]
  const schedule = state.schedules.get(id)
  return schedule === undefined ? undefined : Object.assign(schedule, { phases })
}

function at(params: string | Params | undefined, key: string): string | Params | undefined {
  return typeof params === 'object' ? params[key] : undefined
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
