const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Ages up to this are given in hours, even across midnight. */
const hoursToldMs = 6 * hourMs

const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })
const partsFormat = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** `Just now`, `4 min ago`, `3 h ago`, `Yesterday`, then `Thu, 19 Nov`, with the year if it is not the current one. */
export function formatRelative(iso: string, now = Date.now()): string {
  const then = new Date(iso)
  const age = now - then.getTime()
  // Clocks of two machines differ slightly.
  if (Math.abs(age) < minuteMs) return 'Just now'
  if (age < 0) return formatShortDay(then, now)
  if (age < hourMs) return `${Math.floor(age / minuteMs)} min ago`
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (age < hoursToldMs || then.getTime() >= midnight) return `${Math.floor(age / hourMs)} h ago`
  if (then.getTime() >= new Date(midnight - dayMs / 2).setHours(0, 0, 0, 0)) return 'Yesterday'
  return formatShortDay(then, now)
}

/** `Thu, 19 Nov`, with the year if it is not the current one. */
export function formatShortDay(date: Date, now: number): string {
  const parts = new Map(partsFormat.formatToParts(date).map(({ type, value }) => [type, value]))
  const day = `${parts.get('weekday')}, ${parts.get('day')} ${parts.get('month')}`
  return date.getFullYear() === new Date(now).getFullYear() ? day : `${day} ${parts.get('year')}`
}

/** `Thursday, November 19, 2026 at 10:04:31 AM`, in the browser's locale. */
export function formatExact(iso: string): string {
  return exactFormat.format(new Date(iso))
}

/** `Today`, `Yesterday`, `Thu, 19 Nov`, with the year if it is not the current one. */
export function formatDayName(iso: string, now = Date.now()): string {
  const date = new Date(iso)
  if (date.toDateString() === new Date(now).toDateString()) return 'Today'
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (date.toDateString() === new Date(midnight - dayMs / 2).toDateString()) return 'Yesterday'
  return formatShortDay(date, now)
}

/** The same within a sentence: `today`, `yesterday`, `Thu, 19 Nov`. */
export function formatDayWithin(iso: string, now = Date.now()): string {
  return formatDayName(iso, now).replace(/^(Today|Yesterday)$/, (day) => day.toLowerCase())
}
