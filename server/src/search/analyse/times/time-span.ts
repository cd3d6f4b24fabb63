import { dayMs } from '../../../ground/lib/time.ts'

/** A period in milliseconds since 1970; `to` is exclusive. */
export type TimeSpan = { from: number; to: number }

/** Where a period without a beginning begins. */
export const earliest = Date.UTC(1000, 0)

/** A time expression in a question, by UTF-16 offsets, with all its possible meanings, latest first. */
export type FoundTime = {
  start: number
  end: number
  spans: TimeSpan[]
  /** The exact calendar meaning, if `spans` are looser. */
  calendar?: TimeSpan
  /** The month or year that a part of it is a part of ("the end of last year"). */
  divided?: TimeSpan
  /** From one time to another. */
  isRange?: boolean
  /** A season or holiday, a word that also occurs in texts. */
  isName?: boolean
  /** "Recently": too vague for ranking, but specific enough to ask for. */
  isVague?: boolean
}

/** `count` days from a day; months count from 1. */
export function days(year: number, month: number, day: number, count: number): TimeSpan {
  const from = Date.UTC(year, month - 1, day)
  return { from, to: from + count * dayMs }
}

/** `count` months from a month; months count from 1. */
export function months(year: number, month: number, count: number): TimeSpan {
  return { from: Date.UTC(year, month - 1, 1), to: Date.UTC(year, month - 1 + count, 1) }
}

/** `count` years from a year. */
export const years = (year: number, count: number): TimeSpan => months(year, 1, 12 * count)

const yearsBack = 4

/** Without a year, the latest such time that began before `now`, and those of previous years. */
export function eachYear(
  year: number | undefined,
  now: number,
  make: (year: number) => TimeSpan,
): TimeSpan[] {
  if (year !== undefined) return [make(year)]
  const thisYear = new Date(now).getUTCFullYear()
  const years = Array.from({ length: yearsBack }, (_, back) => thisYear - back)
  return years.map(make).filter((span) => span.from <= now)
}

export const startOfDay = (moment: number): number => moment - (((moment % dayMs) + dayMs) % dayMs)

/** In the order of the text; of two that overlap, the longer one is kept. */
export function withoutOverlaps<T extends { start: number; end: number }>(found: T[]): T[] {
  const kept: T[] = []
  for (const time of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (last === undefined || time.start >= last.end) kept.push(time)
    else if (time.end - time.start > last.end - last.start) kept[kept.length - 1] = time
  }
  return kept
}

/** Number of characters around a time that may qualify it. */
const reachMax = 40

export const textBefore = (text: string, { start }: FoundTime): string =>
  text.slice(Math.max(0, start - reachMax), start)

export const textAfter = (text: string, { end }: FoundTime): string => text.slice(end, end + reachMax)

/** A pattern for one of these words at the end of a text, optionally followed by an article and "last". */
export const endingWith = (words: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${words})\\s(?:(?:the|dem|den|der|le|la|el|il|o|a)\\s|l[’'])?(?:(?:last|this|(?:letzt|vergangen|vorig)e[nmr]?)\\s)?$`,
    'u',
  )

/** Extends a time by its prefix, which changes its meaning. */
export const withPrefix = (time: FoundTime, prefix: string, spans: TimeSpan[]): FoundTime => ({
  ...withSpans(time, spans),
  start: time.start - prefix.length,
})

/** The time with another meaning. */
export function withSpans({ calendar: _, divided: __, ...time }: FoundTime, spans: TimeSpan[]): FoundTime {
  return { ...time, spans }
}
