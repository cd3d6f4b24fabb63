import { matchesOf } from '../../ground/lib/matches.ts'
import { monthOfEnglishName, monthOfName, monthOfShortName } from './month-names.ts'
import { withoutOverlaps } from './times/time-span.ts'

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

export type Groups = Record<string, string | undefined>
/** The pattern of a date format, and how to read the groups of a match. */
export type DateReader = { pattern: RegExp; read: (groups: Groups) => CalendarDate[] }
/** Readers for texts that contain the hint. */
export type DateReaders = { hint: RegExp; readers: DateReader[] }

const day = '(?<d>\\d{1,2})'
const year = '(?<y>(?:19|20)\\d\\d)'
const anyYear = '(?<y>1\\d{3}|20\\d\\d)'
const monthName = '(?<m>\\p{L}{3,11})(?!\\p{L})'
const notInNumber = '(?<!\\d|\\d[.,:/-])'
/** A date must not start inside a number, version, URL or word. */
const before = '(?<![\\p{L}\\d]|\\d[.,:/-])'
/** Before a day followed by a month name: "3-10 May". */
const beforeDay = '(?<![\\p{L}\\d]|\\d[.,:/])'
const after = '(?!\\d|[./-]\\d)'
const ordinal = '(?:\\.\\s?|(?:st|nd|rd|th|er|º|ª|°)?[\\s-]{1,2})'
const of = "(?:(?:the|of|de|di|do)\\s|d['’])?"
const beforeYear = '(?:,\\s?|[\\s-]{1,2}|\\.\\s?|\\.?\\s(?:de|del|do|of)\\s)'
const beforeShortYear =
  '(?<=(?<!\\p{L})(?:on|am|vom|zum|bis|seit|le|du|el|il|dal|em|op|since|until|by|dated?)\\s)'

const make = (pattern: string, read: DateReader['read'] = readNumbers): DateReader => ({
  pattern: new RegExp(pattern, 'gu'),
  read,
})

/** In lower case, with Western digits. */
export const dateReaders: DateReaders[] = [
  {
    hint: /\d\.\s?\d/,
    readers: [
      make(`${before}${year}\\.\\s?(?<m>\\d\\d)\\.\\s?(?<d>\\d\\d)${after}`),
      make(`${before}${day}\\.\\s?(?<m>\\d{1,2})\\.\\s?${year}(?!\\p{L})${after}`),
      // "2.5.24" may also be a version: a leading zero or a preposition marks it as a date.
      make(
        `(?:${beforeShortYear}|${before}(?=0\\d\\.|\\d\\d\\.0))${day}\\.(?<m>\\d{1,2})\\.(?<y>\\d\\d)(?!\\p{L})${after}`,
      ),
    ],
  },
  {
    hint: /\d[/-]\d/,
    readers: [
      make(`${notInNumber}${year}(?<s>[/-])(?<m>\\d{1,2})\\k<s>${day}${after}`),
      make(`${notInNumber}${year}-(?<m>\\d\\d)(?!:\\d)${after}`),
      make(`${before}(?<m>\\d\\d)/${year}${after}`),
      make(`${before}(?<a>\\d{1,2})(?<s>[/-])(?<b>\\d{1,2})\\k<s>${year}${after}`, readEither),
      make(`${before}(?<a>\\d{1,2})/(?<b>\\d{1,2})/(?<y>[0-39]\\d)(?!\\p{L})${after}`, readEither),
    ],
  },
  {
    hint: /\d\s?[月월]/,
    readers: [
      make(
        '(?<!\\d)(?:(?<y>\\d{4})\\s?[年년]\\s?)?(?<m>\\d{1,2})\\s?[月월](?:份|\\s?(?<d>\\d{1,2})\\s?[日号號일])?',
      ),
    ],
  },
  {
    hint: /q[1-4]|quartal/,
    readers: [
      make(`(?<![\\p{L}\\d])q(?<q>[1-4])[\\s/-]?(?:of\\s)?${year}(?!\\d)`),
      make(`(?<!\\d)${year}[\\s/-]?q(?<q>[1-4])(?![\\p{L}\\d])`),
      make(`(?<!\\d)(?<q>[1-4])\\.\\s?quartal\\s${year}(?!\\d)`),
    ],
  },
  {
    hint: /\d/,
    readers: [
      // "Step 2 may fail" is not a date.
      make(
        `${beforeDay}${day}${ordinal}${of}${monthName}(?:${beforeYear}${anyYear}(?!\\d))?` +
          '(?<!may(?=\\s(?:be|have|not|also|only|still|need|fail|break|take|cause)\\b))',
        (found) => readNamed(found, monthOfName),
      ),
      make(`${beforeDay}${day}${ordinal}${of}${monthName}${beforeYear}${anyYear}(?!\\d)`, (found) =>
        readNamed(found, monthOfShortName),
      ),
      make(
        `(?<![\\p{L}\\d])${monthName}(?:\\.\\s?|\\s)(?:the\\s)?${day}(?:st|nd|rd|th)?` +
          `(?:(?:,\\s?|\\s{1,2})${anyYear})?(?![\\p{L}\\d%]|[.,:/-]\\d|\\s%)`,
        (found) => readNamed(found, monthOfEnglishName),
      ),
      // Mars is also a planet.
      make(
        `(?<![\\p{L}\\d])(?:(?!mars)|(?<=(?:en|de|du|fin|début|depuis)\\s))${monthName}(?:,?\\s|\\.\\s?|-)` +
          `(?:(?:of|de|del|do)\\s)?${year}(?!\\d|[.,:/-]\\d)`,
        (found) => readNamed(found, monthOfName),
      ),
    ],
  },
  {
    hint: /\p{L}/u,
    readers: [
      // A month alone, after a word that distinguishes it from a verb or a name.
      make(
        '(?<=(?<!\\p{L}|rio )(?<p>in|of|during|since|early|late|mid|last|this|until|before|after|by|im|seit|bis|ab|anfang|mitte|' +
          'ende|letzten|en|de|depuis|fin|début|mi|desde|hasta|a|di|dal|em|até|sinds|tot|eind|begin|в|с|до|к|في)[\\s-]' +
          `(?:of\\s|in\\s|de\\s|d['’])?)${monthName}(?!\\d|[.,]?\\s\\d)(?=(?<e>\\s*(?:[?.!,;)]|$))?)`,
        readMonthAlone,
      ),
    ],
  },
]

function readNumbers(groups: Groups): CalendarDate[] {
  return [toDate(groups, groups.m === undefined ? undefined : Number(groups.m))]
}

function readNamed(groups: Groups, monthOf: (name: string) => number | undefined): CalendarDate[] {
  const month = monthOf(groups.m ?? '')
  return month === undefined ? [] : [toDate(groups, month)]
}

function toDate({ y, q, d }: Groups, month: number | undefined): CalendarDate {
  const date: CalendarDate = {}
  if (y !== undefined) date.year = toYear(y)
  if (q !== undefined) date.quarter = Number(q)
  if (month !== undefined) date.month = month
  if (d !== undefined) date.day = Number(d)
  return date
}

function readMonthAlone({ m, p, e }: Groups): CalendarDate[] {
  // "This may help" and "a march" are not dates, but "a maggio" is.
  const isVerb = (p === 'this' && e === undefined) || (p === 'a' && (m === 'may' || m === 'march'))
  return isVerb ? [] : readNamed({ m }, monthOfName)
}

/** 09/06/2024 is 9 June in day-first and 6 September in month-first notation. */
function readEither({ y, a, b }: Groups): CalendarDate[] {
  const readings = readNumbers({ y, d: a, m: b })
  return a === b ? readings : [...readings, ...readNumbers({ y, d: b, m: a })]
}

function toYear(text: string): number {
  const number = Number(text)
  if (text.length > 2) return number
  return number < 70 ? 2000 + number : 1900 + number
}
