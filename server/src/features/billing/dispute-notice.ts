import type { BillingNotice } from '@loci/contract/billing'
import { parseNotices } from './billing-notices.ts'

export const disputeNotice: BillingNotice = {
  code: 'disputed',
  message:
    'A payment of this account is disputed at the bank. If that was a mistake, ask your bank to withdraw the dispute.',
}

/** Stored notices with or without the one about a dispute. */
export function noticesWithDispute(notices: string, isDisputed: boolean): string {
  const others = parseNotices(notices).filter(({ code }) => code !== disputeNotice.code)
  return JSON.stringify(isDisputed ? [...others, disputeNotice] : others)
}
