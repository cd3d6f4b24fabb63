import type { LedgerAccount, LedgerKind } from '../../../store/schema.ts'

/** A movement of money from the account `credit` to the account `debit`, in the currency's minor unit. */
export type LedgerEntry = {
  /** Milliseconds since 1970. */
  at: number
  kind: LedgerKind
  debit: LedgerAccount
  credit: LedgerAccount
  /** Above zero. */
  amount: number
  /** ISO 4217, in lower case. */
  currency: string
  invoiceId: string | null
  /** The object at the gateway that the entry follows. */
  source: string
}

type Money = { id: string; at: number; amount: number; currency: string; invoiceId: string | null }

/** A finalized invoice; `total` includes the tax, and is negative for a credit. */
export type InvoiceFact = Omit<Money, 'amount' | 'invoiceId'> & {
  total: number
  tax: number
  /** What was paid outside of the gateway. */
  paidOutside: number
  /** How the invoice ended without payment, and when. */
  closed: { how: 'void' | 'uncollectible'; at: number } | null
}

/** An attempt to pay; `fee` is what the gateway kept for it, in its own currency. */
export type PaymentFact = Money & {
  failed: boolean
  fee: { id: string; amount: number; currency: string } | null
}

export type RefundFact = Money & {
  /** When the money came back, because the bank could not deliver it; null if it did not. */
  failedAt: number | null
}

export type DisputeFact = Money & {
  outcome: { won: boolean; at: number } | null
  fees: Pick<Money, 'id' | 'at' | 'amount' | 'currency'>[]
}

/** A credit note takes its total off an invoice: from what is owed, or from what was paid. */
export type CreditNoteFact = Omit<Money, 'amount'> & {
  offDue: number
  refunded: number
  paidOutside: number
  tax: number
  voidedAt: number | null
}

/** Credit that an account gains (above zero) or uses, and what for. */
export type CreditFact = Money & { reason: 'invoice' | 'credit_note' | 'adjustment' }

/** What a gateway knows of an account's money. */
export type MoneyFacts = {
  invoices: InvoiceFact[]
  payments: PaymentFact[]
  refunds: RefundFact[]
  disputes: DisputeFact[]
  creditNotes: CreditNoteFact[]
  credit: CreditFact[]
}

export const noFacts: MoneyFacts = {
  invoices: [],
  payments: [],
  refunds: [],
  disputes: [],
  creditNotes: [],
  credit: [],
}

type Sides = readonly [debit: LedgerAccount, credit: LedgerAccount]

/**
 * The entries that follow from the facts. `others` are stored entries of objects that are not among them: they count
 * towards what a void or uncollectible invoice still had open.
 */
export function entriesOf(facts: MoneyFacts, others: readonly LedgerEntry[] = []): LedgerEntry[] {
  const entries = [
    ...facts.invoices.flatMap(ofInvoice),
    ...facts.payments.flatMap(ofPayment),
    ...facts.refunds.flatMap(ofRefund),
    ...facts.disputes.flatMap(ofDispute),
    ...facts.creditNotes.flatMap(ofCreditNote),
    ...facts.credit.flatMap(ofCredit),
  ]
  const known = [...others, ...entries]
  return [...entries, ...facts.invoices.flatMap((invoice) => closingOf(invoice, known))]
}

/** The objects that the facts are about. */
export function sourcesOf(facts: MoneyFacts): Set<string> {
  const ids = Object.values(facts).flatMap((kind: readonly { id: string }[]) => kind.map(({ id }) => id))
  const fees = [
    ...facts.payments.flatMap(({ fee }) => (fee === null ? [] : [fee.id])),
    ...facts.disputes.flatMap((dispute) => dispute.fees.map(({ id }) => id)),
  ]
  return new Set([...ids, ...fees])
}

/** No entry for nothing; an amount below zero moves the other way. */
function entry(
  kind: LedgerKind,
  { id, at, currency, invoiceId }: Omit<Money, 'amount'>,
  amount: number,
  [debit, credit]: Sides,
): LedgerEntry[] {
  if (amount === 0) return []
  const base = { at, kind, currency, invoiceId, source: id }
  return amount > 0
    ? [{ ...base, amount, debit, credit }]
    : [{ ...base, amount: 0 - amount, debit: credit, credit: debit }]
}

function ofInvoice(invoice: InvoiceFact): LedgerEntry[] {
  const of = { ...invoice, invoiceId: invoice.id }
  return [
    ...entry('invoiced', of, invoice.total, ['receivable', 'revenue']),
    ...entry('taxed', of, invoice.tax, ['revenue', 'tax']),
    ...entry('paid_outside', of, invoice.paidOutside, ['outside', 'receivable']),
  ]
}

/** A failed payment moves nothing; it is entered to be seen. */
function ofPayment(payment: PaymentFact): LedgerEntry[] {
  if (payment.failed) {
    return entry('payment_failed', payment, payment.amount, ['receivable', 'receivable'])
  }
  const paid = entry('paid', payment, payment.amount, ['cash', 'receivable'])
  const { fee } = payment
  return fee === null
    ? paid
    : [...paid, ...entry('fee', { ...payment, ...fee }, fee.amount, ['fees', 'cash'])]
}

function ofRefund(refund: RefundFact): LedgerEntry[] {
  const refunded = entry('refunded', refund, refund.amount, ['refunds', 'cash'])
  if (refund.failedAt === null) return refunded
  const failed = { ...refund, at: refund.failedAt }
  return [...refunded, ...entry('refund_failed', failed, refund.amount, ['cash', 'refunds'])]
}

/** The bank takes the money at once, and returns it if the dispute is won. */
function ofDispute(dispute: DisputeFact): LedgerEntry[] {
  const { amount, outcome, fees, invoiceId } = dispute
  const end = outcome === null ? dispute : { ...dispute, at: outcome.at }
  return [
    ...entry('disputed', dispute, amount, ['disputes', 'cash']),
    ...(outcome === null
      ? []
      : outcome.won
        ? entry('dispute_won', end, amount, ['cash', 'disputes'])
        : entry('dispute_lost', end, amount, ['losses', 'disputes'])),
    ...fees.flatMap((fee) => entry('fee', { ...fee, invoiceId }, fee.amount, ['fees', 'cash'])),
  ]
}

/** The part that became credit is in the facts about credit. A refund of a note is no loss: the sale was taken back. */
function ofCreditNote(note: CreditNoteFact): LedgerEntry[] {
  const entries = [
    ...entry('credit_note', note, note.offDue, ['revenue', 'receivable']),
    ...entry('credit_note_refund', note, note.refunded, ['revenue', 'refunds']),
    ...entry('credit_note_outside', note, note.paidOutside, ['revenue', 'outside']),
    ...entry('credit_note_tax', note, note.tax, ['tax', 'revenue']),
  ]
  return note.voidedAt === null ? entries : [...entries, ...undone(entries, note.voidedAt)]
}

/** The same entries from the other side; their source tells them apart. */
function undone(entries: readonly LedgerEntry[], at: number): LedgerEntry[] {
  return entries.map((one) => ({
    ...one,
    at,
    debit: one.credit,
    credit: one.debit,
    source: voidOf(one.source),
  }))
}

const voidOf = (source: string) => `${source}/void`

const creditFor = { invoice: 'receivable', credit_note: 'revenue', adjustment: 'adjustments' } as const

function ofCredit(fact: CreditFact): LedgerEntry[] {
  const kind = fact.reason === 'credit_note' ? 'credit_note_kept' : 'credit_moved'
  return entry(kind, fact, fact.amount, [creditFor[fact.reason], 'credit'])
}

/** Clears what a void or uncollectible invoice still had open. */
function closingOf({ closed, ...invoice }: InvoiceFact, known: readonly LedgerEntry[]): LedgerEntry[] {
  if (closed === null) return []
  const of = { ...invoice, at: closed.at, invoiceId: invoice.id }
  const own = known.filter(({ invoiceId }) => invoiceId === invoice.id)
  const open = balanceOf(own, 'receivable')
  if (closed.how === 'uncollectible') return entry('written_off', of, open, ['losses', 'receivable'])
  const tax = 0 - balanceOf(own, 'tax')
  return [
    ...entry('voided', of, open, ['revenue', 'receivable']),
    ...entry('voided_tax', of, tax, ['tax', 'revenue']),
  ]
}

/** What an account of the books holds: debits less credits. */
export function balanceOf(entries: readonly LedgerEntry[], account: LedgerAccount): number {
  return entries.reduce(
    (sum, { debit, credit, amount }) =>
      sum + (debit === account ? amount : 0) - (credit === account ? amount : 0),
    0,
  )
}

/** A stored entry; its id begins with its source and kind. */
export type StoredEntry = LedgerEntry & { id: string }

/**
 * The entries to add so that the books say what is `wanted` of the objects `sources`. Stored entries are never changed:
 * one that no longer holds, or holds for another amount, is set right by a further one, dated `now`.
 */
export function entriesToAdd(
  wanted: readonly LedgerEntry[],
  stored: readonly StoredEntry[],
  { sources, now }: { sources: ReadonlySet<string>; now: number },
): StoredEntry[] {
  const before = Map.groupBy(stored, keyOf)
  const after = Map.groupBy(wanted, keyOf)
  const ended = [...before].filter(([key, [first]]) => !after.has(key) && sources.has(first!.source))
  return [
    ...[...after].flatMap(([key, entries]) => correctionOf(key, entries, before.get(key) ?? [], now)),
    ...ended.flatMap(([key, entries]) => correctionOf(key, [], entries, now)),
  ]
}

const keyOf = ({ source, kind, currency }: LedgerEntry) =>
  `${source}:${kind}${currency === 'usd' ? '' : `:${currency}`}`

function correctionOf(
  key: string,
  wanted: readonly LedgerEntry[],
  stored: readonly StoredEntry[],
  now: number,
): StoredEntry[] {
  const [like] = [...wanted, ...stored]
  const missing = sumOf(wanted, like!) - sumOf(stored, like!)
  if (missing === 0) return []
  const { debit, credit } = like!
  const sides = missing > 0 ? { debit, credit } : { debit: credit, credit: debit }
  const isFirst = stored.length === 0
  return [
    {
      ...like!,
      ...sides,
      id: isFirst ? key : `${key}:${stored.length + 1}`,
      at: isFirst ? like!.at : now,
      amount: Math.abs(missing),
    },
  ]
}

const sumOf = (entries: readonly LedgerEntry[], { debit }: LedgerEntry) =>
  entries.reduce((sum, one) => sum + (one.debit === debit ? one.amount : 0 - one.amount), 0)
