import { z } from 'zod'

const form =
  /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?)?)?$/

/** A period in milliseconds since 1970; `to` is exclusive. */
export type FactPeriod = { from: number; to: number }

/** The period that a {@link FactTime} means: the whole year, month or day, or one millisecond; undefined if it is none. */
export function periodOf(time: string): FactPeriod | undefined {
  const { year, month, day } = form.exec(time)?.groups ?? {}
  if (year === undefined) return undefined
  if (time.includes('T')) {
    const from = Date.parse(time)
    return Number.isNaN(from) || !isDay(time.slice(0, 10)) ? undefined : { from, to: from + 1 }
  }
  if (day !== undefined && !isDay(time)) return undefined
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)]
  if (m < 1 || m > 12) return undefined
  const next =
    day !== undefined ? utc(y, m, d + 1) : month !== undefined ? utc(y, m + 1, 1) : utc(y + 1, 1, 1)
  return { from: utc(y, m, d), to: next }
}

const isDay = (day: string) => {
  const time = Date.parse(`${day}T00:00:00.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** `Date.UTC`, which takes years below 100 for years of the 20th century. */
const utc = (year: number, month: number, day: number) => new Date(0).setUTCFullYear(year, month - 1, day)

/** When something was true, as precisely as it is known: `2026`, `2026-02`, `2026-02-10` or `2026-02-10T09:00Z`. */
export const FactTime = z
  .string()
  .max(40)
  .refine((time) => periodOf(time) !== undefined, {
    error: 'Must be a year, month, day or time: 2026, 2026-02, 2026-02-10 or 2026-02-10T09:00Z',
  })
export type FactTime = z.infer<typeof FactTime>

/** Whether a time begins before another. */
export function isBefore(one: FactTime, other: FactTime): boolean {
  const [a, b] = [periodOf(one), periodOf(other)]
  return a !== undefined && b !== undefined && a.from < b.from
}

/** Whether a fact is over before it begins, whatever is meant by times such as a year. */
export function endsTooSoon({ at, until }: { at?: unknown; until?: unknown }): boolean {
  const [begin, end] = [at, until].map((time) => (typeof time === 'string' ? periodOf(time) : undefined))
  return begin !== undefined && end !== undefined && end.to <= begin.from
}

export const endsTooSoonMessage = 'until must not be before at'
