import type Stripe from 'stripe'
import { at, type Kept, type Params, type State, secondsOf } from './stripe-double-calls.ts'

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
  if (due > 0 && (card == null || reason !== undefined)) {
    throw card == null ? noCard() : new Refused(402, declinedBy(reason))
  }
  if (customer !== undefined) customer.balance = (customer.balance ?? 0) + total - due
  state.addInvoice(String(subscription.customer), total, 'paid', due)
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
export function createPreview(
  state: State,
  { customer, subscription, subscription_details }: Params,
): unknown {
  const details = subscription_details
  const price = String(at(at(at(details, 'items'), '0'), 'price'))
  const known = state.subscriptions.get(String(subscription))
  const balance = state.customers.get(String(customer))?.balance ?? 0
  if (known === undefined) {
    const now = state.seconds()
    const amount = amounts[price] ?? 0
    const period = { start: now, end: now + secondsOf(price) }
    return previewOf([{ description: '1 x', amount, period }], amount, Math.max(amount + balance, 0), balance)
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
