import { formatMoney } from '@loci/contract/money'

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const weekdayFormat = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })
const dayMonthFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const momentFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const utcMomentFormat = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})
const numberFormat = new Intl.NumberFormat()

/** `Nov 21, 2026` */
export function formatDate(iso: string): string {
  return dateFormat.format(new Date(iso))
}

/** `Nov 21, 2026, 10:04 AM UTC` */
export function formatMomentInUtc(iso: string): string {
  return utcMomentFormat.format(new Date(iso))
}

/** A day in UTC, the server's calendar: the same everywhere. */
export function formatDay(iso: string): string {
  return dayFormat.format(new Date(iso))
}

/**
 * `Today`, `Yesterday`, `Thu, 19 Nov`, with the year if it is not the current one; days are in UTC, the
 * server's calendar.
 */
export function formatDayShort(iso: string, now = Date.now()): string {
  const day = new Date(iso)
  const today = new Date(now).setUTCHours(0, 0, 0, 0)
  const daysAgo = Math.round((today - day.getTime()) / 86_400_000)
  if (daysAgo === 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  const year = day.getUTCFullYear()
  const text = `${weekdayFormat.format(day)}, ${dayMonthFormat.format(day)}`
  return year === new Date(now).getUTCFullYear() ? text : `${text} ${year}`
}

/** `Nov 21, 2026, 10:04 AM` */
export function formatMoment(iso: string): string {
  return momentFormat.format(new Date(iso))
}

/** `10:04 AM`, or `10:04` where people count to 24; every time of day is shown in the reader's locale. */
export function formatTime(iso: string): string {
  return timeFormat.format(new Date(iso))
}

export function formatNumber(value: number): string {
  return numberFormat.format(value)
}

/** `1050` cents become `$10.50`. */
export function formatDollars(cents: number): string {
  return formatMoney(cents, 'usd')
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

/** `340 bytes`, `1.2 MB` */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const unitDisplay = step === 0 ? 'long' : 'short'
  const format = { style: 'unit', unit: byteUnits[step], unitDisplay, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(undefined, format).format(bytes / 1_000 ** step)
}

/** Seconds since 1970 as ISO text, the format of all other moments. */
export function toIso(epochSeconds: number): string {
  return new Date(epochSeconds * 1_000).toISOString()
}

/** `1 entity`, `2 entities` */
export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
