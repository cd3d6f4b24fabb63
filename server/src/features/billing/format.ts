import { formatMoney } from '@loci/contract/money'

/** Not made at the start: making one takes a fiftieth of it. */
let dates: Intl.DateTimeFormat | undefined

/** `1050` is `$10.50`. */
export function toDollars(cents: number): string {
  return formatMoney(cents, 'usd')
}

/** `November 21, 2026`, UTC. */
export function toDate(milliseconds: number): string {
  dates ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return dates.format(milliseconds)
}
