import { formatMoney } from '@loci/contract/money'

const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `1050` is `$10.50`. */
export function toDollars(cents: number): string {
  return formatMoney(cents, 'usd')
}

/** `November 21, 2026`, UTC. */
export function toDate(milliseconds: number): string {
  return dates.format(milliseconds)
}
