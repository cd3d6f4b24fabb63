import { matchesOf } from '../../ground/lib/matches.ts'
import { type DateReader, dateReaders } from './date-readers.ts'

/** A day, month or quarter, as precise as it was written; months and quarters count from 1. */
export type CalendarDate = { year?: number; quarter?: number; month?: number; day?: number }

/** A date in a text, with its UTF-16 offsets and all possible readings (9 June, 6 September). */
export type FoundDate = { start: number; end: number; readings: CalendarDate[] }

/** Every date contains one of these or the name of a month. */
export const dateHint = /(?:19|20)\d\d|\d[./-]\d\d?[./-]\d\d|[月월０-９٠-٩]/u
/** A date extends at most this far from its hint. */
export const dateReach = 32

const foreignDigits = /[０-９٠-٩]/g

/** The dates in a text: a day, a month or a quarter, as people write them in the languages of the analyser. */
export function readDates(text: string): FoundDate[] {
  const plain = toPlain(text)
  const fitting = dateReaders.filter(({ hint }) => hint.test(plain))
  const found = fitting.flatMap(({ readers }) => readers.flatMap((reader) => readAll(reader, plain)))
  return found.length < 2 ? found : withoutOverlaps(found)
}

/** Converts to lower case with Western digits; every character keeps its offset. */
export function toPlain(text: string): string {
  const lower = text.replaceAll('İ', 'i').toLowerCase()
  return lower.replace(foreignDigits, (digit) => String(digit.charCodeAt(0) % 16))
}

function readAll({ pattern, read }: DateReader, text: string): FoundDate[] {
  const found: FoundDate[] = []
  for (const match of matchesOf(pattern, text)) {
    const readings = read(match.groups ?? {}).filter(isPossible)
    if (readings.length > 0) found.push({ start: match.index, end: match.index + match[0].length, readings })
  }
  return found
}

function isPossible({ year = 2000, month, day }: CalendarDate): boolean {
  if (month !== undefined && (month < 1 || month > 12)) return false
  if (day === undefined || month === undefined) return true
  if (day < 29) return day >= 1
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** In text order; if two overlap, the longer one is kept. */
function withoutOverlaps(found: FoundDate[]): FoundDate[] {
  const kept: FoundDate[] = []
  for (const date of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (last === undefined || date.start >= last.end) kept.push(date)
    else if (date.end - date.start > last.end - last.start) kept[kept.length - 1] = date
  }
  return kept
}
