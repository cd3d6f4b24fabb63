import type Stripe from 'stripe'
import {
  applyUpdate,
  createPreview,
  renew,
  updateSchedule,
  updateSubscription,
  voidInvoice,
} from './stripe-double-billing.ts'
import {
  listBalances,
  listCharges,
  listCreditNotes,
  listDisputes,
  moveBalance,
  newMoney,
  withPayments,
} from './stripe-double-money.ts'

/** A call's parameters, nested as in its form. */
export type Params = { [key: string]: string | Params }

/** A Stripe object with some of its fields, which the compiler checks against the SDK. */
export type PartOf<T> = T extends (infer Item)[]
  ? PartOf<Item>[]
  : T extends object
    ? { [Key in keyof T]?: PartOf<T[Key]> }
    : T

export type Kept<T> = PartOf<T> & { id: string }
export type State = ReturnType<typeof newState>

export const periodSeconds = 30 * 86_400
const yearSeconds = 365 * 86_400
/** In the double, a month has 30 days and a year 365. */
export const secondsOf = (price: string) => (price.endsWith('_year') ? yearSeconds : periodSeconds)

/** The double's state. Its functions simulate events at Stripe that no call of ours causes. */
export function newState(now: () => number) {
  let count = 0
  const seconds = () => Math.floor(now() / 1_000)
  const newId = (prefix: string) => `${prefix}_${++count}`
  const customers = new Map<string, Kept<Stripe.Customer>>()
  const subscriptions = new Map<string, Kept<Stripe.Subscription>>()
  const schedules = new Map<string, Kept<Stripe.SubscriptionSchedule>>()
  const cards = new Map<string, Kept<Stripe.PaymentMethod>>()
  const invoices = new Map<string, Kept<Stripe.Invoice>>()
  const setupIntents: PartOf<Stripe.SetupIntent>[] = []
  const sessions = new Map<string, Kept<Stripe.Checkout.Session>>()
  const itemOf = (price: string, start: number, end: number): Kept<Stripe.SubscriptionItem> => ({
    id: newId('si'),
    object: 'subscription_item',
    price: { id: price, object: 'price' },
    current_period_start: start,
    current_period_end: end,
  })
  return {
    ...{
      seconds,
      newId,
      itemOf,
      customers,
      subscriptions,
      schedules,
      cards,
      invoices,
      sessions,
      setupIntents,
    },
    money: newMoney(),
    /** Cards whose every payment the bank wants confirmed. */
    asking: new Set<string>(),
    /** Discounts, in percent. */
    discounts: new Map<string, number>(),
    /** A promotion code that was redeemed at checkout. */
    addDiscount(subscription: string, percent: number): void {
      const id = newId('di')
      this.discounts.set(id, percent)
      const redeemed = subscriptions.get(subscription)
      if (redeemed !== undefined) redeemed.discounts = [id]
    },
    /** The person confirms the payment of an invoice on its page. */
    confirmPayment(invoice: string): void {
      applyUpdate(this, invoice)
    },
    /** The period ends; the invoice of the next one is paid. */
    renew(subscription: string): void {
      renew(this, subscription)
    },
    /** Cards whose payments are declined, with the reason. */
    declined: new Map<string, string>(),
    /** The form of the customer's newest setup intent is filled in. */
    confirmSetup(customer: string): string {
      const id = this.addCard(customer)
      const intent = setupIntents.findLast((one) => one.customer === customer)
      if (intent !== undefined) intent.payment_method = id
      return id
    },
    addCard(customer: string): string {
      const id = newId('pm')
      const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2090 }
      cards.set(id, { id, object: 'payment_method', type: 'card', customer, card, created: seconds() })
      return id
    },
    addSubscription(customer: string, price: string, trialDays = 0): string {
      const id = newId('sub')
      const start = seconds()
      const end = start + (trialDays > 0 ? trialDays * 86_400 : secondsOf(price))
      subscriptions.set(id, {
        id,
        object: 'subscription',
        created: start,
        customer,
        status: trialDays > 0 ? 'trialing' : 'active',
        cancel_at_period_end: false,
        cancel_at: null,
        trial_end: trialDays > 0 ? end : null,
        schedule: null,
        pending_update: null,
        latest_invoice: null,
        discounts: [],
        automatic_tax: { enabled: false },
        default_payment_method: null,
        items: { object: 'list', data: [itemOf(price, start, end)] },
      })
      return id
    },
    addInvoice(
      customer: string,
      total: number,
      status: Stripe.Invoice.Status,
      due = total,
      { currency = 'usd', tax = 0, off = 0 }: { currency?: string; tax?: number; off?: number } = {},
    ): string {
      const id = newId('in')
      moveBalance(this, customer, total - due, { type: 'applied_to_invoice', invoice: id })
      invoices.set(id, {
        id,
        object: 'invoice',
        customer,
        number: `A-${id}`,
        currency,
        total,
        total_taxes: [{ amount: tax }],
        amount_due: due,
        amount_paid_off_stripe: off,
        status,
        created: seconds(),
        hosted_invoice_url: `https://invoice.stripe.test/${id}`,
        invoice_pdf: `https://invoice.stripe.test/${id}.pdf`,
      })
      return id
    },
    /** Simulates an action in Stripe's dashboard. */
    deleteCustomer(id: string): void {
      customers.delete(id)
      for (const subscription of subscriptions.values()) {
        if (subscription.customer === id) subscription.status = 'canceled'
      }
      for (const card of cards.values()) if (card.customer === id) cards.delete(card.id)
    },
  }
}

type Call = {
  /** The allowed parameters; Stripe refuses any other. */
  takes: readonly string[]
  /** Undefined becomes 404. */
  answer: (state: State, id: string, params: Params) => unknown
}

const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })

function ofCustomer<T extends { customer?: unknown; status?: unknown }>(
  things: Map<string, T>,
  params: Params,
) {
  const { customer, status } = params
  const wanted = (thing: T) => status === undefined || status === 'all' || thing.status === status
  return [...things.values()].filter((thing) => thing.customer === customer && wanted(thing)).reverse()
}

export const calls: Record<string, Call> = {
  'POST customers': {
    takes: ['email', 'metadata'],
    answer(state, _, { email }) {
      const id = state.newId('cus')
      const customer = {
        id,
        object: 'customer',
        email: String(email),
        invoice_settings: {},
        balance: 0,
      } as const
      state.customers.set(id, customer)
      return customer
    },
  },
  'GET customers/:id': {
    takes: [],
    answer: (state, id) => state.customers.get(id) ?? { id, object: 'customer', deleted: true },
  },
  'POST customers/:id': {
    takes: ['invoice_settings.default_payment_method', 'email'],
    answer(state, id, { invoice_settings, email }) {
      const customer = state.customers.get(id)
      if (email !== undefined) return customer && Object.assign(customer, { email: String(email) })
      const card = at(invoice_settings, 'default_payment_method')
      return customer && Object.assign(customer, { invoice_settings: { default_payment_method: card } })
    },
  },
  'DELETE customers/:id': {
    takes: [],
    answer(state, id) {
      if (!state.customers.has(id)) return undefined
      state.deleteCustomer(id)
      return { id, object: 'customer', deleted: true }
    },
  },
  'GET customers/:id/payment_methods': {
    takes: ['type', 'limit'],
    answer: (state, id) =>
      state.customers.has(id) ? list(ofCustomer(state.cards, { customer: id })) : undefined,
  },
  'GET customers/:id/balance_transactions': {
    takes: ['limit'],
    answer: (state, id) => listBalances(state, id),
  },
  'GET charges': {
    takes: ['customer', 'limit', 'expand'],
    answer: (state, _, { customer }) => listCharges(state, customer),
  },
  'GET charges/:id': { takes: [], answer: (state, id) => state.money.charges.get(id) },
  'GET disputes': {
    takes: ['charge', 'limit'],
    answer: (state, _, { charge }) => listDisputes(state, charge),
  },
  'GET credit_notes': {
    takes: ['customer', 'limit'],
    answer: (state, _, { customer }) => listCreditNotes(state, customer),
  },
  'GET payment_methods/:id': {
    takes: [],
    answer: (state, id) => state.cards.get(id),
  },
  'POST payment_methods/:id': {
    takes: ['metadata'],
    answer(state, id, { metadata }) {
      const card = state.cards.get(id)
      return card && Object.assign(card, { metadata: { removedBy: String(at(metadata, 'removedBy')) } })
    },
  },
  'POST payment_methods/:id/detach': {
    takes: [],
    answer(state, id) {
      const card = state.cards.get(id)
      for (const customer of state.customers.values()) {
        if (customer.invoice_settings?.default_payment_method === id) customer.invoice_settings = {}
      }
      for (const subscription of state.subscriptions.values()) {
        if (subscription.default_payment_method === id) subscription.default_payment_method = null
      }
      return card && Object.assign(card, { customer: null })
    },
  },
  'POST setup_intents': {
    takes: ['customer', 'usage', 'allowed_payment_method_types', 'metadata'],
    answer(state, _, { customer, metadata }) {
      const userId = String(at(metadata, 'userId'))
      state.setupIntents.push({ customer: String(customer), metadata: { userId } })
      return { id: 'seti_1', object: 'setup_intent', client_secret: 'seti_1_secret_x' }
    },
  },
  'GET setup_intents': {
    takes: ['payment_method', 'limit'],
    answer: (state, _, { payment_method }) =>
      list(state.setupIntents.filter((intent) => intent.payment_method === payment_method)),
  },
  'GET checkout-sessions': {
    takes: ['customer', 'status', 'limit'],
    answer: (state, _, params) => list(ofCustomer(state.sessions, params)),
  },
  'POST checkout-sessions': {
    takes: [
      'mode',
      'customer',
      'client_reference_id',
      'line_items.price',
      'line_items.quantity',
      'success_url',
      'cancel_url',
      'payment_method_collection',
      'automatic_tax.enabled',
      'tax_id_collection.enabled',
      'allow_promotion_codes',
      'customer_update.address',
      'customer_update.name',
      'subscription_data.metadata',
      'subscription_data.trial_period_days',
      'subscription_data.trial_settings.end_behavior.missing_payment_method',
    ],
    answer(state, _, { customer }) {
      const id = state.newId('cs')
      const url = `https://checkout.stripe.test/${id}`
      const session = {
        id,
        object: 'checkout.session',
        customer: String(customer),
        status: 'open',
        url,
      } as const
      state.sessions.set(id, session)
      return session
    },
  },
  'POST billing_portal/:id': {
    takes: ['customer', 'return_url'],
    answer: (_state, _id, { customer }) => ({
      object: 'billing_portal.session',
      url: `https://billing.stripe.test/${String(customer)}`,
    }),
  },
  'POST checkout-sessions/:id/expire': {
    takes: [],
    answer: (state, id) => Object.assign(state.sessions.get(id) ?? {}, { status: 'expired' }),
  },
  'GET subscriptions': {
    takes: ['customer', 'status', 'limit', 'expand'],
    answer: (state, _, params) =>
      list(
        ofCustomer(state.subscriptions, params).map((subscription) => ({
          ...subscription,
          schedule: state.schedules.get(String(subscription.schedule)) ?? null,
        })),
      ),
  },
  'GET subscriptions/:id': { takes: [], answer: (state, id) => state.subscriptions.get(id) },
  'POST subscriptions/:id': {
    takes: [
      'cancel_at_period_end',
      'cancel_at',
      'default_payment_method',
      'items.id',
      'items.price',
      'proration_behavior',
      'proration_date',
      'payment_behavior',
    ],
    answer: updateSubscription,
  },
  'DELETE subscriptions/:id': {
    takes: ['invoice_now', 'prorate', 'cancellation_details.comment'],
    answer: (state, id, { cancellation_details: details }) =>
      Object.assign(state.subscriptions.get(id) ?? {}, {
        status: 'canceled',
        ...(details === undefined
          ? {}
          : {
              ended_at: state.seconds(),
              cancellation_details: { comment: at(details, 'comment') },
            }),
      }),
  },
  'POST invoices-create_preview': {
    takes: [
      'customer',
      'subscription',
      'subscription_details.items.id',
      'subscription_details.items.price',
      'subscription_details.items.quantity',
      'subscription_details.proration_behavior',
      'subscription_details.proration_date',
      'discounts.discount',
    ],
    answer: (state, _, params) => createPreview(state, params),
  },
  'POST invoices/:id/void': {
    takes: [],
    answer: voidInvoice,
  },
  'POST subscription_schedules': { takes: ['from_subscription'], answer: createSchedule },
  'GET subscription_schedules/:id': { takes: [], answer: (state, id) => state.schedules.get(id) },
  'POST subscription_schedules/:id': {
    takes: [
      'end_behavior',
      'phases.discounts.discount',
      'phases.items.price',
      'phases.items.quantity',
      'phases.start_date',
      'phases.end_date',
      'phases.trial',
      'phases.duration.interval',
      'phases.duration.interval_count',
      'phases.proration_behavior',
    ],
    answer: updateSchedule,
  },
  'POST subscription_schedules/:id/release': {
    takes: [],
    answer(state, id) {
      for (const subscription of state.subscriptions.values()) {
        if (subscription.schedule === id) subscription.schedule = null
      }
      return state.schedules.get(id)
    },
  },
  'GET invoices': {
    takes: ['customer', 'status', 'limit', 'subscription', 'expand'],
    answer: (state, _, params) =>
      list(
        ofCustomer<Kept<Stripe.Invoice>>(state.invoices, withCustomer(state, params)).map((invoice) =>
          withPayments(state, invoice),
        ),
      ),
  },
  'POST invoices/:id/pay': {
    takes: [],
    answer: (state, id) => Object.assign(state.invoices.get(id) ?? {}, { status: 'paid' }),
  },
}

/** A subscription's invoices are those of its customer: no customer has two here at once. */
function withCustomer(state: State, params: Params): Params {
  const customer = state.subscriptions.get(String(params.subscription))?.customer
  return typeof customer === 'string' ? { ...params, customer } : params
}

function createSchedule(state: State, _: string, { from_subscription }: Params) {
  const subscription = state.subscriptions.get(String(from_subscription))
  if (subscription === undefined) return undefined
  const id = state.newId('sub_sched')
  const phases = [{ start_date: state.seconds(), items: [] }]
  state.schedules.set(id, { id, object: 'subscription_schedule', phases })
  subscription.schedule = id
  return state.schedules.get(id)
}

export function at(params: string | Params | undefined, key: string): string | Params | undefined {
  return typeof params === 'object' ? params[key] : undefined
}
