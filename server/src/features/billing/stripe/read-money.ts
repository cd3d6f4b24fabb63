import type Stripe from 'stripe'
import { secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { Control } from '../ledger/controls.ts'
import type {
  CreditFact,
  CreditNoteFact,
  DisputeFact,
  InvoiceFact,
  MoneyFacts,
  PaymentFact,
  RefundFact,
} from '../ledger/ledger.rules.ts'
import { idOf } from './object-ids.ts'
import { taxOf } from './read-standing.ts'
import { callStripe } from './stripe-client.ts'

/** What Stripe says of a customer's money: single movements, and sums that it keeps by itself. */
export type StripeMoney = { facts: MoneyFacts; controls: Control[] }

export const noMoney: StripeMoney = {
  facts: { invoices: [], payments: [], refunds: [], disputes: [], creditNotes: [], credit: [] },
  controls: [],
}

/** More than a customer has in decades; the pages after the first are read only if there are any. */
const objectsMax = 5_000

type Objects = {
  invoices: readonly Stripe.Invoice[]
  charges: readonly Stripe.Charge[]
  refunds: readonly Stripe.Refund[]
  disputes: readonly Stripe.Dispute[]
  creditNotes: readonly Stripe.CreditNote[]
  balances: readonly Stripe.CustomerBalanceTransaction[]
}

/** Reads the money of a customer whose invoices, expanded by their payments, are known. */
export async function readMoney(
  ctx: Context,
  customer: Stripe.Customer,
  invoices: readonly Stripe.Invoice[],
): Promise<StripeMoney> {
  const objects = await callStripe(ctx, async (stripe) => {
    const [charges, creditNotes, balances] = await Promise.all([
      stripe.charges
        .list({ customer: customer.id, limit: 100, expand: ['data.refunds', 'data.balance_transaction'] })
        .autoPagingToArray({ limit: objectsMax }),
      stripe.creditNotes.list({ customer: customer.id, limit: 100 }).autoPagingToArray({ limit: objectsMax }),
      stripe.customers
        .listBalanceTransactions(customer.id, { limit: 100 })
        .autoPagingToArray({ limit: objectsMax }),
    ])
    const refunds = (await Promise.all(charges.map((charge) => refundsOf(stripe, charge)))).flat()
    const disputed = charges.filter((charge) => charge.disputed)
    const disputes = await Promise.all(
      disputed.map(({ id }) => stripe.disputes.list({ charge: id, limit: 100 })),
    )
    return { charges, creditNotes, balances, refunds, disputes: disputes.flatMap(({ data }) => data) }
  })
  return moneyOf(customer, { ...objects, invoices }, ctx.now())
}

/** A charge comes with its first ten refunds. */
async function refundsOf(stripe: Stripe, { id, refunds }: Stripe.Charge): Promise<Stripe.Refund[]> {
  if (refunds == null || !refunds.has_more) return refunds?.data ?? []
  return stripe.refunds.list({ charge: id, limit: 100 }).autoPagingToArray({ limit: objectsMax })
}

const toMs = (seconds: number) => seconds * secondMs

/** `now` is the time of what Stripe gives no time for: the end of a dispute, the failure of a refund. */
export function moneyOf(customer: Stripe.Customer, objects: Objects, now: number): StripeMoney {
  const invoices = objects.invoices.filter(({ status }) => status !== 'draft')
  const paidFor = invoicesByPayment(invoices)
  const invoiceOf = (charge: Stripe.Charge | undefined) =>
    paidFor.get(idOf(charge?.payment_intent) ?? '') ?? paidFor.get(charge?.id ?? '') ?? null
  const charges = new Map(objects.charges.map((charge) => [charge.id, charge]))
  const invoiceOfCharge = (charge: string | { id: string } | null) =>
    invoiceOf(charges.get(idOf(charge) ?? ''))
  const notes = new Map(objects.creditNotes.map((note) => [note.id, idOf(note.invoice) ?? null]))
  const facts: MoneyFacts = {
    invoices: invoices.map((invoice) => toInvoiceFact(invoice, now)),
    payments: objects.charges
      .filter(({ status }) => status !== 'pending')
      .map((charge) => toPaymentFact(charge, invoiceOf(charge))),
    refunds: objects.refunds.map((refund) => toRefundFact(refund, invoiceOfCharge(refund.charge), now)),
    disputes: objects.disputes.map((dispute) => toDisputeFact(dispute, invoiceOfCharge(dispute.charge), now)),
    creditNotes: objects.creditNotes.map(toCreditNoteFact),
    credit: objects.balances.map((balance) => toCreditFact(balance, notes)),
  }
  return { facts, controls: controlsOf(customer, invoices, objects, invoiceOf) }
}

/** The invoice of each payment intent, or of each charge that has none. */
function invoicesByPayment(invoices: readonly Stripe.Invoice[]): Map<string, string> {
  return new Map(
    invoices.flatMap(({ id, payments }) =>
      (payments?.data ?? []).flatMap(({ payment }) => {
        const paid = idOf(payment.payment_intent) ?? idOf(payment.charge)
        return paid === undefined ? [] : [[paid, id] as const]
      }),
    ),
  )
}

function toInvoiceFact(invoice: Stripe.Invoice, now: number): InvoiceFact {
  const { id, currency, total, status, created, status_transitions: times } = invoice
  const at = toMs(times?.finalized_at ?? created)
  const how = (['void', 'uncollectible'] as const).find((one) => one === status)
  const endedAt = how === 'void' ? times?.voided_at : times?.marked_uncollectible_at
  return {
    ...{ id, at, currency, total, tax: taxOf(invoice), paidOutside: invoice.amount_paid_off_stripe ?? 0 },
    closed: how === undefined ? null : { how, at: endedAt == null ? now : toMs(endedAt) },
  }
}

function toPaymentFact(charge: Stripe.Charge, invoiceId: string | null): PaymentFact {
  const { id, created, currency, status, balance_transaction: moved } = charge
  const failed = status === 'failed'
  return {
    ...{ id, at: toMs(created), currency, invoiceId, failed },
    amount: failed ? charge.amount : charge.amount_captured,
    fee:
      moved === null || typeof moved === 'string' || failed
        ? null
        : { id: moved.id, amount: moved.fee, currency: moved.currency },
  }
}

/** A canceled refund never left, and a pending one has left the balance already. */
function toRefundFact(refund: Stripe.Refund, invoiceId: string | null, now: number): RefundFact {
  const { id, created, currency, status } = refund
  const amount = status === 'canceled' ? 0 : refund.amount
  return { id, at: toMs(created), currency, invoiceId, amount, failedAt: status === 'failed' ? now : null }
}

/** For an inquiry, and a dispute that was prevented, the bank takes nothing. */
const takesNothing = (status: string) => status.startsWith('warning') || status === 'prevented'

function toDisputeFact(dispute: Stripe.Dispute, invoiceId: string | null, now: number): DisputeFact {
  const { id, created, currency, status, balance_transactions: moved } = dispute
  const returnedAt = moved.find(({ amount }) => amount > 0)?.created
  const endedAt = returnedAt === undefined ? now : toMs(returnedAt)
  return {
    ...{ id, at: toMs(created), currency, invoiceId },
    amount: takesNothing(status) ? 0 : dispute.amount,
    outcome: status === 'won' || status === 'lost' ? { won: status === 'won', at: endedAt } : null,
    fees: moved.map((one) => {
      return { id: one.id, at: toMs(one.created), amount: one.fee, currency: one.currency }
    }),
  }
}

function toCreditNoteFact(note: Stripe.CreditNote): CreditNoteFact {
  return {
    ...{
      id: note.id,
      at: toMs(note.created),
      currency: note.currency,
      invoiceId: idOf(note.invoice) ?? null,
    },
    offDue: note.pre_payment_amount,
    refunded: note.refunds.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
    paidOutside: note.out_of_band_amount ?? 0,
    tax: (note.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    voidedAt: note.status === 'void' ? toMs(note.voided_at ?? note.created) : null,
  }
}

const invoiceMoves: readonly string[] = [
  ...['applied_to_invoice', 'unapplied_from_invoice', 'invoice_too_large', 'invoice_too_small'],
  'invoice_overpaid',
]

/** A customer's balance is below zero for credit. */
function toCreditFact(
  balance: Stripe.CustomerBalanceTransaction,
  notes: ReadonlyMap<string, string | null>,
): CreditFact {
  const { id, created, currency, amount, type } = balance
  const invoiceId = idOf(balance.invoice) ?? notes.get(idOf(balance.credit_note) ?? '') ?? null
  const reason =
    type === 'credit_note' ? 'credit_note' : invoiceMoves.includes(type) ? 'invoice' : 'adjustment'
  return { id, at: toMs(created), currency, amount: 0 - amount, invoiceId, reason }
}

/** What is open of each invoice, what was kept of its charges, the customer's balance, and what the bank holds. */
function controlsOf(
  { balance, currency }: Stripe.Customer,
  invoices: readonly Stripe.Invoice[],
  { charges, disputes }: Objects,
  invoiceOf: (charge: Stripe.Charge) => string | null,
): Control[] {
  const chargesOf = Map.groupBy(charges, invoiceOf)
  const takenBy = Map.groupBy(
    disputes.filter(({ status }) => !takesNothing(status) && status !== 'won'),
    ({ charge }) => idOf(charge) ?? '',
  )
  const keptOf = (charge: Stripe.Charge) =>
    charge.amount_captured -
    charge.amount_refunded -
    (takenBy.get(charge.id) ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return [
    ...invoices.flatMap((invoice): Control[] => {
      const of = { invoiceId: invoice.id, name: invoice.number ?? invoice.id, currency: invoice.currency }
      const kept = (chargesOf.get(invoice.id) ?? []).reduce((sum, charge) => sum + keptOf(charge), 0)
      return [
        { ...of, account: 'receivable', amount: invoice.status === 'open' ? invoice.amount_remaining : 0 },
        { ...of, account: 'cash', amount: kept },
      ]
    }),
    {
      ...{ account: 'credit', invoiceId: null, name: 'All invoices' },
      ...{ currency: currency ?? 'usd', amount: balance },
    },
  ]
}
