import type { Subscription } from '@loci/contract/billing'
import { secondMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { listInvoiceRows } from './invoices.repo.ts'
import type { StoredSubscription } from './subscriptions.repo.ts'

/** An upgrade that waits for the bank's confirmation, with the page for that. */
export async function toPendingUpgrade(
  { db }: Context,
  { accountId, pendingUpgrade }: StoredSubscription,
  baseUrl: string,
): Promise<Subscription['pendingUpgrade']> {
  if (pendingUpgrade === null) return null
  const { plan, invoiceId, expiresAt } = pendingUpgrade
  const invoice = (await listInvoiceRows(db, accountId)).find(({ id }) => id === invoiceId)
  const confirmUrl = absolute(invoice?.hostedUrl ?? null, baseUrl)
  return { plan, confirmUrl, expiresAt: Math.floor(expiresAt / secondMs) }
}

/** Addresses of our own pages are stored without the server's. */
export const absolute = (url: string | null, baseUrl: string) => (url?.startsWith('/') ? baseUrl + url : url)
