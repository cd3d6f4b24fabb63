import { dayMs } from '../../../lib/time.ts'
import type { TimeSpan } from '../time-expressions.ts'

/** An expression of time in a question, by its UTF-16 offsets, with all that it may mean, the latest first. */
export type FoundTime = {
  start: number
  end: number
  spans: TimeSpan[]
  /** What it means to the day, where `spans` are looser. */
  calendar?: TimeSpan
  /** A season or a holiday: a word that texts have too. */
  isName?: boolean
  /** "Recently": too little to rank by, enough to ask for. */
  isVague?: boolean
}

/** So many days from a day on; months count from 1. */
export function days(year: number, month: number, day: number, count: number): TimeSpan {
  const from = Date.UTC(year, month - 1, day)
  return { from, to: from + count * dayMs }
}

/** So many months from a month on; months count from 1. */
export function months(year: number, month: number, count: number): TimeSpan {
  return { from: Date.UTC(year, month - 1, 1), to: Date.UTC(year, month - 1 + count, 1) }
}

const yearsBack = 4

/** Without a year the latest such time that began before `now`, and those of the years before. */
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

/** In the order of the text; of two that overlap the longer stays. */
export function withoutOverlaps(found: FoundTime[]): FoundTime[] {
  const kept: FoundTime[] = []
  for (const time of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (last === undefined || time.start >= last.end) kept.push(time)
    else if (time.end - time.start > last.end - last.start) kept[kept.length - 1] = time
  }
  return kept
}

/** What is before a time may say more of it. */
const reachMax = 40

export const textBefore = (text: string, { start }: FoundTime): string =>
  text.slice(Math.max(0, start - reachMax), start)

export const textAfter = (text: string, { end }: FoundTime): string => text.slice(end, end + reachMax)

/** A pattern for one of these at the end of a text, perhaps with an article after it. */
export const endingWith = (words: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words})\\s(?:(?:the|dem|den|der|le|la|el|il|o|a)\\s|l[’'])?$`, 'u')

/** A time that begins with a prefix of it. */
export const withPrefix = (time: FoundTime, prefix: string, spans: TimeSpan[]): FoundTime => ({
  ...time,
  start: time.start - prefix.length,
  spans,
})
