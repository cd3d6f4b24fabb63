import type Stripe from 'stripe'
import type { Kept, State } from './stripe-double-calls.ts'

/** Money at the double: what was charged, given back, disputed, noted and credited. */
export type MoneyState = {
  charges: Map<string, Kept<Stripe.Charge>>
  /** The invoice that a payment is for. */
  invoiceOf: Map<string, string>
  refunds: Map<string, Kept<Stripe.Refund>>
  disputes: Map<string, Kept<Stripe.Dispute>>
  creditNotes: Map<string, Kept<Stripe.CreditNote>>
  balances: Map<string, Kept<Stripe.CustomerBalanceTransaction>>
}

export const newMoney = (): MoneyState => ({
  charges: new Map(),
  invoiceOf: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  creditNotes: new Map(),
  balances: new Map(),
})

const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })
const valuesOf = <T>(things: Map<string, T>, wanted: (thing: T) => boolean) =>
  [...things.values()].filter(wanted)

/** Charges an invoice; `failed` is an attempt that moved nothing. */
export function addCharge(
  state: State,
  invoiceId: string,
  { failed = false, fee = 0, amount }: { failed?: boolean; fee?: number; amount?: number } = {},
): string {
  const invoice = state.invoices.get(invoiceId)
  const [id, intent] = [state.newId('ch'), state.newId('pi')]
  const charged = amount ?? invoice?.amount_due ?? 0
  const currency = invoice?.currency ?? 'usd'
  state.money.invoiceOf.set(intent, invoiceId)
  state.money.charges.set(id, {
    ...{ id, object: 'charge', amount: charged, amount_captured: failed ? 0 : charged, amount_refunded: 0 },
    ...{ captured: !failed, created: state.seconds(), currency, customer: invoice?.customer ?? null },
    ...{ disputed: false, paid: !failed, payment_intent: intent, status: failed ? 'failed' : 'succeeded' },
    balance_transaction: failed ? null : { id: state.newId('txn'), amount: charged, fee, currency },
  })
  return id
}

/** An invoice that was marked paid by a test has been charged. */
function chargePaid(state: State): void {
  const charged = new Set(
    valuesOf(state.money.charges, ({ paid }) => paid === true).map(({ payment_intent }) =>
      state.money.invoiceOf.get(String(payment_intent)),
    ),
  )
  for (const invoice of state.invoices.values()) {
    const due = (invoice.amount_due ?? 0) - (invoice.amount_paid_off_stripe ?? 0)
    if (invoice.status === 'paid' && due > 0 && !charged.has(invoice.id)) {
      addCharge(state, invoice.id, { amount: due })
    }
  }
}

/** Finds the successful charge of an invoice. */
export function chargeOf(state: State, invoiceId: string): Kept<Stripe.Charge> {
  chargePaid(state)
  const found = valuesOf(
    state.money.charges,
    ({ payment_intent, paid }) =>
      paid === true && state.money.invoiceOf.get(String(payment_intent)) === invoiceId,
  ).at(0)
  if (found === undefined) throw new Error(`${invoiceId} was never charged`)
  return found
}

export function refund(state: State, invoiceId: string, amount: number): string {
  const charge = chargeOf(state, invoiceId)
  const id = state.newId('re')
  state.money.refunds.set(id, {
    ...{ id, object: 'refund', amount, charge: charge.id, created: state.seconds() },
    ...{ currency: charge.currency ?? 'usd', status: 'succeeded' },
  })
  charge.amount_refunded = (charge.amount_refunded ?? 0) + amount
  return id
}

/** The bank could not deliver a refund. */
export function failRefund(state: State, id: string): void {
  const failed = state.money.refunds.get(id)
  if (failed === undefined) return
  failed.status = 'failed'
  const charge = state.money.charges.get(String(failed.charge))
  if (charge !== undefined) charge.amount_refunded = (charge.amount_refunded ?? 0) - (failed.amount ?? 0)
}

export function dispute(
  state: State,
  invoiceId: string,
  { status = 'needs_response', fee = 0 }: { status?: Stripe.Dispute.Status; fee?: number } = {},
): string {
  const charge = chargeOf(state, invoiceId)
  const id = state.newId('dp')
  const { currency = 'usd', amount = 0 } = charge
  charge.disputed = true
  const withdrawn = { id: state.newId('txn'), amount: -amount, fee, currency, created: state.seconds() }
  state.money.disputes.set(id, {
    ...{ id, object: 'dispute', amount, charge: charge.id, created: state.seconds(), currency, status },
    ...{ reason: 'fraudulent', payment_intent: charge.payment_intent ?? null },
    balance_transactions: status.startsWith('warning') ? [] : [withdrawn],
  })
  return id
}

export function setDispute(state: State, id: string, status: Stripe.Dispute.Status): void {
  const disputed = state.money.disputes.get(id)
  if (disputed !== undefined) disputed.status = status
}

type NoteParts = { offDue?: number; refunded?: number; credited?: number; outside?: number; tax?: number }

/** A credit note; its refund and its credit are made with it. */
export function addCreditNote(
  state: State,
  invoiceId: string,
  { offDue = 0, refunded = 0, credited = 0, outside = 0, tax = 0 }: NoteParts,
): string {
  const invoice = state.invoices.get(invoiceId)
  const id = state.newId('cn')
  const total = offDue + refunded + credited + outside
  const made = refunded > 0 ? [refund(state, invoiceId, refunded)] : []
  state.money.creditNotes.set(id, {
    ...{ id, object: 'credit_note', created: state.seconds(), currency: invoice?.currency ?? 'usd' },
    ...{ customer: invoice?.customer ?? '', invoice: invoiceId, status: 'issued', total, amount: total },
    ...{ pre_payment_amount: offDue, post_payment_amount: total - offDue, out_of_band_amount: outside },
    refunds: made.map((one) => ({ refund: one, amount_refunded: refunded })),
    total_taxes: tax === 0 ? [] : [{ amount: tax }],
    voided_at: null,
  })
  if (invoice !== undefined) {
    invoice.amount_due = (invoice.amount_due ?? 0) - offDue
    invoice.pre_payment_credit_notes_amount = (invoice.pre_payment_credit_notes_amount ?? 0) + offDue
    if (offDue > 0 && invoice.amount_due === 0) invoice.status = 'paid'
    if (credited > 0)
      moveBalance(state, String(invoice.customer), -credited, { type: 'credit_note', note: id })
  }
  return id
}

export function voidCreditNote(state: State, id: string): void {
  const note = state.money.creditNotes.get(id)
  if (note === undefined) return
  Object.assign(note, { status: 'void', voided_at: state.seconds() })
  const invoice = state.invoices.get(String(note.invoice))
  if (invoice !== undefined) invoice.amount_due = (invoice.amount_due ?? 0) + (note.pre_payment_amount ?? 0)
}

/** Moves a customer's balance, which is below zero for credit. */
export function moveBalance(
  state: State,
  customerId: string,
  amount: number,
  { type, invoice, note }: { type: Stripe.CustomerBalanceTransaction.Type; invoice?: string; note?: string },
): void {
  const customer = state.customers.get(customerId)
  if (customer === undefined || amount === 0) return
  customer.balance = (customer.balance ?? 0) + amount
  const id = state.newId('cbtxn')
  state.money.balances.set(id, {
    ...{ id, object: 'customer_balance_transaction', amount, created: state.seconds() },
    ...{ currency: 'usd', customer: customerId, type, invoice: invoice ?? null, credit_note: note ?? null },
  })
}

/** A void invoice gives back the credit it used. */
export function unapplyBalance(state: State, invoiceId: string): void {
  const used = valuesOf(state.money.balances, ({ invoice }) => invoice === invoiceId)
  const amount = used.reduce((sum, one) => sum + (one.amount ?? 0), 0)
  const customer = String(state.invoices.get(invoiceId)?.customer)
  moveBalance(state, customer, 0 - amount, { type: 'unapplied_from_invoice', invoice: invoiceId })
}

export const listCharges = (state: State, customer: unknown) => {
  chargePaid(state)
  return list(
    valuesOf(state.money.charges, (charge) => charge.customer === customer)
      .reverse()
      .map((charge) => ({
        ...charge,
        refunds: list(valuesOf(state.money.refunds, (one) => one.charge === charge.id)),
      })),
  )
}
export const listDisputes = ({ money }: State, charge: unknown) =>
  list(valuesOf(money.disputes, (one) => one.charge === charge))
export const listCreditNotes = ({ money }: State, customer: unknown) =>
  list(valuesOf(money.creditNotes, (one) => one.customer === customer))
export const listBalances = ({ money }: State, customer: string) =>
  list(valuesOf(money.balances, (one) => one.customer === customer))

/** An invoice with what follows from its payments. */
export function withPayments(state: State, invoice: Kept<Stripe.Invoice>): Kept<Stripe.Invoice> {
  chargePaid(state)
  const { money } = state
  const charges = valuesOf(
    money.charges,
    (one) => money.invoiceOf.get(String(one.payment_intent)) === invoice.id,
  )
  const paid = charges.reduce((sum, one) => sum + (one.amount_captured ?? 0), 0)
  const off = invoice.amount_paid_off_stripe ?? 0
  const data = charges.map(({ payment_intent }) => ({ payment: { type: 'payment_intent', payment_intent } }))
  return {
    ...invoice,
    amount_remaining: invoice.status === 'paid' ? 0 : (invoice.amount_due ?? 0) - paid - off,
    payments: { object: 'list', data: data as never[], has_more: false },
  }
}
