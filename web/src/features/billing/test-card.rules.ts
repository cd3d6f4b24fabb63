import type { TestCard } from '@loci/contract/billing'

export type CardFields = { number: string; expiry: string; cvc: string }

/** Test numbers and their outcomes. */
export const testNumbers = [
  { number: '4242 4242 4242 4242', outcome: 'succeeds' },
  { number: '4000 0000 0000 0002', outcome: 'is declined' },
  { number: '4000 0000 0000 0259', outcome: 'succeeds, and is disputed' },
  { number: '4000 0000 0000 0069', outcome: 'has expired' },
  { number: '4000 0025 0000 3155', outcome: 'requires authentication' },
  { number: '4000 0027 6000 3184', outcome: 'requires it for every payment' },
]

/** Reads the fields, or returns the first problem. */
export function readCard({ number, expiry, cvc }: CardFields): TestCard | string {
  if (!/^\d{12,19}$/.test(number.replace(/[\s-]/g, ''))) return 'Your card number is incomplete.'
  const [, month, year] = /^(\d{1,2})\s*\/?\s*(?:20)?(\d{2})$/.exec(expiry.trim()) ?? []
  const expMonth = Number(month)
  if (year === undefined || expMonth < 1 || expMonth > 12) return "Your card's expiration date is invalid."
  if (!/^\d{3,4}$/.test(cvc.trim())) return "Your card's security code is incomplete."
  return { number, expMonth, expYear: 2000 + Number(year), cvc: cvc.trim() }
}
