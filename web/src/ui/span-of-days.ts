const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `15 Nov 2026 to 21 Nov 2026`, or a single day; the end is exclusive. */
export function spanOfDays(from: string, to: string): string {
  const first = dayFormat.format(new Date(from))
  const last = dayFormat.format(new Date(Date.parse(to) - 1))
  return first === last ? first : `${first} to ${last}`
}
