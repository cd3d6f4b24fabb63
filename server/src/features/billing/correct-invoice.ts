import { AppError } from '../../ground/errors/app-error.ts'
import type { Context } from '../../tenancy/context.ts'
import { inBillingTime } from './billing-time.ts'
import { findGateway } from './gateway-of.ts'
import { closeDispute, creditInvoice, refundInvoice } from './sandbox/correct-invoice.ts'

/** What the operator does to an invoice of the sandbox; `amount` in cents, undefined for all that is left. */
export type InvoiceCorrection =
  | { kind: 'refund' | 'credit'; number: string; amount: number | undefined }
  | { kind: 'dispute'; number: string; won: boolean }

/**
 * Corrects an invoice; returns the amount, 0 for a dispute. At Stripe this is done in its dashboard, and followed here.
 * Throws `invoice_not_found`, `billing_conflict`.
 */
export async function correctInvoice(
  ctx: Context,
  accountId: number,
  correction: InvoiceCorrection,
): Promise<number> {
  if (findGateway(ctx)?.name !== 'sandbox') {
    const message = "This is for the sandbox. Refund and credit in Stripe's dashboard; the server follows."
    throw new AppError('billing_conflict', message)
  }
  const inTime = await inBillingTime(ctx)
  if (correction.kind === 'dispute') {
    await closeDispute(inTime, accountId, correction)
    return 0
  }
  const work = correction.kind === 'refund' ? refundInvoice : creditInvoice
  return work(inTime, accountId, correction)
}
