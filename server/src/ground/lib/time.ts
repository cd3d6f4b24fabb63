/** Converts milliseconds since 1970 to ISO-8601 UTC, the format on the wire. */
export function toIso(milliseconds: number): string {
  // Ten times as fast as a `Date`; rows have two times each, and those of a page are mostly of one day.
  const day = Math.floor(milliseconds / dayMs)
  if (day !== lastDay.number)
    lastDay = { number: day, text: new Date(milliseconds).toISOString().slice(0, -13) }
  const rest = Math.floor(milliseconds - day * dayMs)
  const seconds = Math.floor(rest / secondMs)
  const time = `${twoDigits[Math.floor(seconds / 3_600)]}:${twoDigits[Math.floor(seconds / 60) % 60]}:${twoDigits[seconds % 60]}`
  return `${lastDay.text}${time}.${String(rest % secondMs).padStart(3, '0')}Z`
}

let lastDay = { number: Number.NaN, text: '' }
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Converts ISO-8601 to milliseconds since 1970. */
export function fromIso(text: string): number {
  return Date.parse(text)
}

/** Milliseconds, the end exclusive. Times that were given by the day are in the calendar of `days`, otherwise in UTC. */
export type TimeBounds = {
  after?: number | undefined
  before?: number | undefined
  days?: { after?: number | undefined; before?: number | undefined }
}

type GivenBounds = { after?: string | undefined; before?: string | undefined }

/** Bounds as they were given, whose offset says in which calendar. */
export function boundsOf({ after, before }: GivenBounds): TimeBounds {
  const toMs = (moment: string | undefined) => (moment === undefined ? undefined : fromIso(moment))
  const withoutOffset = (moment: string | undefined) => toMs(moment?.replace(/[+-]\d\d:\d\d$/, 'Z'))
  return {
    after: toMs(after),
    before: toMs(before),
    days: { after: withoutOffset(after), before: withoutOffset(before) },
  }
}

/** The day of a time, UTC: `2026-11-21`. */
export function dayOf(milliseconds: number): string {
  return dayOfIso(toIso(milliseconds))
}

/** The day of an ISO time, in its own zone. */
export const dayOfIso = (iso: string): string => iso.slice(0, 'yyyy-mm-dd'.length)

/** The calendar month of a time, UTC: `2026-11`. */
export function monthNameOf(milliseconds: number): string {
  return toIso(milliseconds).slice(0, 7)
}

/** Start of the calendar month of a time and of the next month, UTC milliseconds. */
export function monthOf(milliseconds: number): { start: number; end: number } {
  const date = new Date(milliseconds)
  return {
    start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
    end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  }
}

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
