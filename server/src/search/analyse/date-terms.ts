import { type CalendarDate, dateReach, readDates } from './dates.ts'

/** Start and end of a part of a text (UTF-16). */
export type TextPart = readonly [start: number, end: number]

/** A date in a text as index terms. No word starts with a colon. */
export type DateTerms = { start: number; end: number; terms: DateTerm[] }

/**
 * `term` is indexed for a text; a question containing the date searches for any of `asked`, or for
 * nothing if empty.
 */
type DateTerm = { term: string; asked: string[] }

/**
 * A text with more dates than this is a table rather than prose; reading this many takes a few
 * milliseconds.
 */
const hintsMax = 1_000

/** The terms of each date at one of the hints; the same however the date is written. */
export function readDateTerms(text: string, hints: readonly TextPart[]): DateTerms[] {
  return joinNear(hints.slice(0, hintsMax)).flatMap(([from, to]) =>
    readDates(text.slice(from, to)).map(({ start, end, readings }) => ({
      start: from + start,
      end: from + end,
      terms: toTerms(readings),
    })),
  )
}

/** The surroundings of the hints: most of a text need not be read. */
function joinNear(hints: readonly TextPart[]): TextPart[] {
  const joined: [number, number][] = []
  for (const [start, end] of hints) {
    const last = joined.at(-1)
    if (last !== undefined && start - dateReach <= last[1]) last[1] = end + dateReach
    else joined.push([Math.max(0, start - dateReach), end + dateReach])
  }
  return joined
}

function toTerms(readings: readonly CalendarDate[]): DateTerm[] {
  const asked = [readings.flatMap(exactly), readings.flatMap(withoutYear)]
  const terms = new Set(readings.flatMap(termsOf))
  return [...terms].map((term) => ({ term, asked: asked.find(([first]) => first === term) ?? [] }))
}

/** Its day, its month, and both without the year. */
function termsOf({ year, quarter, month, day }: CalendarDate): string[] {
  if (quarter !== undefined) return [toTerm(year, `q${quarter}`)]
  const ends = day === undefined ? [[month]] : [[month, day], [month]]
  const yearless = ends.map((parts) => toTerm(...parts))
  return year === undefined ? yearless : [...ends.map((parts) => toTerm(year, ...parts)), ...yearless]
}

/** The date as written; a quarter is also searched for by its months. */
function exactly(date: CalendarDate): string[] {
  const { year, quarter } = date
  const months =
    quarter === undefined ? [] : [1, 2, 3].map((month) => toTerm(year, (quarter - 1) * 3 + month))
  return [...termsOf(date).slice(0, 1), ...months]
}

/** Texts often omit the year of a day. */
const withoutYear = ({ year, month, day }: CalendarDate) =>
  year === undefined || day === undefined ? [] : [toTerm(month, day)]

const toTerm = (...parts: (number | string | undefined)[]) =>
  `:${parts.map((part) => String(part).padStart(2, '0')).join('-')}`
