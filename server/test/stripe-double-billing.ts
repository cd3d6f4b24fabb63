import type Stripe from 'stripe'
import { at, type Kept, type Params, type State, secondsOf } from './stripe-double-calls.ts'
import { unapplyBalance } from './stripe-double-money.ts'

/** Cents, as in the product's price list; written out, so that the double does not use our own calculation. */
const amounts: Record<string, number> = {
  price_starter: 1_000,
  price_starter_year: 10_000,
  price_pro: 2_000,
  price_pro_year: 20_000,
  price_power_user: 6_000,
  price_power_user_year: 60_000,
}

type Subscription = Kept<Stripe.Subscription>
type Line = { description: string; amount: number; period: { start: number; end: number } }
type Draft = { lines: Line[]; total: number; due: number; start: number; end: number }

/** A refusal that the double sends instead of a result. */
export class Refused extends Error {
  readonly status: number
  readonly error: Record<string, unknown>
  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message))
    this.status = status
    this.error = error
  }
}

const invalid = (message: string) => new Refused(400, { type: 'invalid_request_error', message })

/** All or nothing, as at Stripe: a declined payment leaves the subscription unchanged. */
export function updateSubscription(state: State, id: string, params: Params): unknown {
  const subscription = state.subscriptions.get(id)
  if (subscription === undefined) return undefined
  refuseImpossible(subscription, params)
  if (params.payment_behavior === 'pending_if_incomplete') return updateIfPaid(state, subscription, params)
  const price = at(at(params.items, '0'), 'price')
  if (typeof price === 'string') changePrice(state, subscription, price, params)
  const { cancel_at_period_end, cancel_at, default_payment_method } = params
  if (cancel_at_period_end !== undefined) subscription.cancel_at_period_end = cancel_at_period_end === 'true'
  if (cancel_at !== undefined) subscription.cancel_at = cancel_at === '' ? null : Number(cancel_at)
  if (default_payment_method !== undefined) {
    subscription.default_payment_method = String(default_payment_method)
  }
  return subscription
}

function refuseImpossible({ schedule, status }: Subscription, params: Params): void {
  if (status === 'canceled') throw invalid('A canceled subscription can only update its metadata.')
  if (params.cancel_at_period_end !== undefined && params.cancel_at !== undefined) {
    throw invalid('You may only pass one of cancel_at, cancel_at_period_end.')
  }
  const changesEnd = params.cancel_at_period_end !== undefined || params.cancel_at !== undefined
  if (schedule !== null && changesEnd) {
    throw invalid(
      `The subscription is managed by the subscription schedule ${String(schedule)}, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  }
}

function changePrice(state: State, subscription: Subscription, price: string, params: Params): void {
  const moment = params.proration_date === undefined ? state.seconds() : Number(params.proration_date)
  const draft = draftOf(state, subscription, price, moment)
  if (params.proration_behavior === 'always_invoice' && draft.lines.length > 0)
    charge(state, subscription, draft)
  const [item] = subscription.items?.data ?? []
  subscription.items = {
    object: 'list',
    data: [{ ...state.itemOf(price, draft.start, draft.end), id: item?.id ?? '' }],
  }
}

/** The invoice for another price at a moment: credits unused time, and bills the rest or a new period. */
function draftOf(state: State, subscription: Subscription, price: string, moment: number): Draft {
  const [item] = subscription.items?.data ?? []
  const from = item?.price?.id ?? ''
  const [start, end] = [item?.current_period_start ?? 0, item?.current_period_end ?? 0]
  if (moment < start || moment > end)
    throw invalid('Cannot specify `proration_date` outside of current period')
  if (subscription.status === 'trialing') return { lines: [], total: 0, due: 0, start, end }
  const sameLength = secondsOf(from) === secondsOf(price)
  const [newStart, newEnd] = sameLength ? [start, end] : [moment, moment + secondsOf(price)]
  const part = (cents: number) => Math.round((cents * (end - moment)) / (end - start))
  const lines = [
    { description: 'Unused time', amount: -part(amounts[from] ?? 0), period: { start: moment, end } },
    sameLength
      ? { description: 'Remaining time', amount: part(amounts[price] ?? 0), period: { start: moment, end } }
      : { description: '1 x', amount: amounts[price] ?? 0, period: { start: newStart, end: newEnd } },
  ]
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const due = Math.max(total + balanceOf(state, subscription), 0)
  return { lines, total, due, start: newStart, end: newEnd }
}

const customerOf = (state: State, { customer }: Subscription) => state.customers.get(String(customer))
const balanceOf = (state: State, subscription: Subscription) => customerOf(state, subscription)?.balance ?? 0

/** Throws what Stripe returns under `error_if_incomplete`. */
function charge(state: State, subscription: Subscription, { total, due }: Draft): void {
  const customer = customerOf(state, subscription)
  const card = subscription.default_payment_method ?? customer?.invoice_settings?.default_payment_method
  const reason = state.declined.get(String(card))
  if (due > 0 && state.asking.has(String(card))) throw new Refused(402, unconfirmed)
  if (due > 0 && (card == null || reason !== undefined)) {
    throw card == null ? noCard() : new Refused(402, declinedBy(reason))
  }
  state.addInvoice(String(subscription.customer), total, 'paid', due)
}

const unconfirmed = {
  type: 'card_error',
  code: 'subscription_payment_intent_requires_action',
  message: 'Payment for this subscription requires additional user action before it can be completed.',
}

const pendingTakes = ['items', 'payment_behavior', 'proration_behavior', 'proration_date']
const confirmSeconds = 23 * 3_600

/** Leaves the subscription as it is until the invoice is paid (https://docs.stripe.com/billing/subscriptions/pending-updates). */
function updateIfPaid(state: State, subscription: Subscription, params: Params): unknown {
  const other = Object.keys(params).find((name) => !pendingTakes.includes(name))
  if (other !== undefined) throw invalid(`${other} is not supported by pending updates.`)
  const price = String(at(at(params.items, '0'), 'price'))
  const draft = draftOf(state, subscription, price, Number(params.proration_date ?? state.seconds()))
  const [item] = subscription.items?.data ?? []
  subscription.latest_invoice = state.addInvoice(
    String(subscription.customer),
    draft.total,
    'open',
    draft.due,
  )
  subscription.pending_update = {
    expires_at: Math.min(state.seconds() + confirmSeconds, item?.current_period_end ?? 0),
    subscription_items: [{ ...state.itemOf(price, draft.start, draft.end), id: item?.id ?? '' }],
  }
  return subscription
}

const updatedBy = (state: State, invoice: string) =>
  [...state.subscriptions.values()].find(
    (one) => one.latest_invoice === invoice && one.pending_update !== null,
  )

/** The invoice of a pending update is paid. */
export function applyUpdate(state: State, invoice: string): void {
  const subscription = updatedBy(state, invoice)
  const data = subscription?.pending_update?.subscription_items
  if (subscription === undefined || data == null) return
  Object.assign(subscription, { items: { object: 'list', data }, pending_update: null })
  Object.assign(state.invoices.get(invoice) ?? {}, { status: 'paid' })
}

/** Discards a pending update, too. */
export function voidInvoice(state: State, id: string): unknown {
  const subscription = updatedBy(state, id)
  if (subscription !== undefined) subscription.pending_update = null
  unapplyBalance(state, id)
  return Object.assign(state.invoices.get(id) ?? {}, { status: 'void' })
}

const noCard = () =>
  new Refused(400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: 'This customer has no attached payment source or default payment method.',
  })

const declinedBy = (reason: string | undefined) => ({
  type: 'card_error',
  code: 'card_declined',
  decline_code: reason,
  message: 'Your card was declined.',
})

/** Previews a change to a subscription, or without one the first invoice of a new one. */
export function createPreview(state: State, params: Params): unknown {
  const { customer, subscription, subscription_details } = params
  const details = subscription_details
  const price = String(at(at(at(details, 'items'), '0'), 'price'))
  const known = state.subscriptions.get(String(subscription))
  const balance = state.customers.get(String(customer))?.balance ?? 0
  if (known === undefined) {
    const now = state.seconds()
    const amount = amounts[price] ?? 0
    const total = discounted(state, amount, discountsIn(params))
    const period = { start: now, end: now + secondsOf(price) }
    return previewOf([{ description: '1 x', amount, period }], total, Math.max(total + balance, 0), balance)
  }
  const date = at(details, 'proration_date')
  const draft = draftOf(state, known, price, date === undefined ? state.seconds() : Number(date))
  return previewOf(draft.lines, draft.total, draft.due, balance)
}

const previewOf = (lines: Line[], total: number, due: number, balance: number) => ({
  object: 'invoice',
  lines: { object: 'list', data: lines, has_more: false },
  total,
  amount_due: due,
  starting_balance: balance,
})

/** The phases replace the schedule's, and the first one the subscription's discounts. */
export function updateSchedule(state: State, id: string, { phases }: Params): unknown {
  const schedule = state.schedules.get(id)
  const [first, second] = [at(phases, '0'), at(phases, '1')]
  const end = Number(at(first, 'end_date'))
  const itemsOf = (phase: Params | string | undefined) => [
    { price: String(at(at(at(phase, 'items'), '0'), 'price')) },
  ]
  if (schedule === undefined) return undefined
  const start = Number(at(first, 'start_date'))
  schedule.phases = [
    { start_date: start, end_date: end, items: itemsOf(first), discounts: phaseDiscounts(first) },
    { start_date: end, items: itemsOf(second), discounts: phaseDiscounts(second) },
  ]
  for (const subscription of state.subscriptions.values()) {
    if (subscription.schedule === id) subscription.discounts = discountsIn(first)
  }
  return schedule
}

const phaseDiscounts = (phase: Params | string | undefined) =>
  discountsIn(phase).map((discount) => ({ discount }))

/** `discounts[0][discount]=di_1` is `['di_1']`. */
function discountsIn(params: Params | string | undefined): string[] {
  const discounts = at(params, 'discounts')
  return typeof discounts === 'object'
    ? Object.values(discounts).map((one) => String(at(one, 'discount')))
    : []
}

const discounted = (state: State, amount: number, discounts: readonly string[]) =>
  discounts.reduce((left, id) => Math.round((left * (100 - (state.discounts.get(id) ?? 0))) / 100), amount)

/** Begins the next period, in the schedule's next phase if there is one, and pays for it. */
export function renew(state: State, id: string): void {
  const subscription = state.subscriptions.get(id)
  const [item] = subscription?.items?.data ?? []
  if (subscription === undefined || item === undefined) return
  const next = state.schedules.get(String(subscription.schedule))?.phases?.[1]
  if (next !== undefined) {
    subscription.discounts = next.discounts?.map(({ discount }) => String(discount)) ?? []
    subscription.schedule = null
  }
  const price = String(next?.items?.[0]?.price ?? item.price?.id)
  const start = item.current_period_end ?? 0
  subscription.items = { object: 'list', data: [state.itemOf(price, start, start + secondsOf(price))] }
  const ids = (subscription.discounts ?? []).map(String)
  state.addInvoice(String(subscription.customer), discounted(state, amounts[price] ?? 0, ids), 'paid')
}
