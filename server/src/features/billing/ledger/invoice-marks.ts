import type { DisputeState } from '@loci/contract/billing'
import type { LedgerAccount, LedgerKind } from '../../../store/schema.ts'
import type { Context } from '../../../tenancy/context.ts'
import { type InvoiceSum, sumByInvoice } from './ledger.repo.ts'

/** What became of an invoice's money, in the currency's minor unit. */
export type InvoiceMarks = {
  refunded: number
  /** Taken off by credit notes that were not refunded. */
  credited: number
  dispute: DisputeState | null
}

const noMarks: InvoiceMarks = { refunded: 0, credited: 0, dispute: null }

const kinds: readonly LedgerKind[] = [
  ...(['refunded', 'refund_failed', 'credit_note', 'credit_note_kept', 'credit_note_outside'] as const),
  ...(['disputed', 'dispute_won', 'dispute_lost'] as const),
]

/** The marks of these invoices by their ids; those without any are missing. */
export async function readMarks(
  { db }: Context,
  accountId: number,
  invoiceIds: readonly string[],
): Promise<(invoiceId: string) => InvoiceMarks> {
  const sums = Map.groupBy(await sumByInvoice(db, accountId, invoiceIds, kinds), ({ invoiceId }) => invoiceId)
  return (invoiceId) => {
    const own = sums.get(invoiceId)
    return own === undefined ? noMarks : toMarks(own)
  }
}

function toMarks(sums: readonly InvoiceSum[]): InvoiceMarks {
  /** What entries of a kind debited to an account, less what corrections took back. */
  const net = (kind: LedgerKind, debit: LedgerAccount) =>
    sums.reduce(
      (sum, one) => sum + (one.kind !== kind ? 0 : one.debit === debit ? one.amount : 0 - one.amount),
      0,
    )
  const [opened, won, lost] = [
    net('disputed', 'disputes'),
    net('dispute_won', 'cash'),
    net('dispute_lost', 'losses'),
  ]
  return {
    refunded: net('refunded', 'refunds') - net('refund_failed', 'cash'),
    credited:
      net('credit_note', 'revenue') +
      net('credit_note_kept', 'revenue') +
      net('credit_note_outside', 'revenue'),
    dispute: opened > won + lost ? 'open' : lost > 0 ? 'lost' : won > 0 ? 'won' : null,
  }
}
