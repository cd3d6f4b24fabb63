const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `1050` is `$10.50`. */
export function toDollars(cents: number): string {
  return dollars.format(cents / 100)
}

/** `November 21, 2026`, UTC. */
export function toDate(milliseconds: number): string {
  return dates.format(milliseconds)
}
