import { matchesOf } from '../../../ground/lib/matches.ts'
import { type CalendarDate, type FoundDate, readDates } from '../dates.ts'
import { monthOfName } from '../month-names.ts'
import { readHolidays } from './holidays.ts'
import { days, eachYear, type FoundTime, months, type TimeSpan } from './time-span.ts'
import { readYears } from './years.ts'

/** First month of each season, in the north; winter runs into the next year. */
const seasonStart: Record<string, number> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 }
const ordinals: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4 }

const year = '(?<y>(?:19|20)\\d\\d)(?!\\d)'
const optionalYear = `(?:,?\\s(?:of\\s)?${year})?`
const to = 'to|until|till|through|bis|à|au|a|al|hasta|até|tot|до|по'
const join = `\\s(?:${to}|and|und|et|y|e|en|и)\\s`

function monthNames(between: string): string {
  return `(?<m>\\p{L}{3,11})(?:${between})(?<n>\\p{L}{3,11})(?!\\p{L})`
}

type Groups = Record<string, string | undefined>
type Reader = [pattern: RegExp, read: (groups: Groups, now: number) => TimeSpan[]]

const readers: Reader[] = [
  // "Spring" and "fall" have other meanings too.
  [
    new RegExp(
      '(?<!\\p{L})(?<s>summer|autumn|winter|' +
        '(?<=(?:in|in the|last|this|of|during|during the|since|early|late|until|before|after|over the)\\s)(?:spring|fall))' +
        `(?!\\p{L})${optionalYear}`,
      'gu',
    ),
    readSeason,
  ],
  [new RegExp(`(?<!\\p{L})(?<s>spring|fall)\\s(?:of\\s)?${year}`, 'gu'), readSeason],
  [new RegExp(`(?<![\\p{L}\\d])h(?<h>[12])[\\s/-]?${year}`, 'gu'), readPart],
  [new RegExp(`(?<!\\d)${year}[\\s/-]?h(?<h>[12])(?![\\p{L}\\d])`, 'gu'), readPart],
  [
    new RegExp(`(?<!\\p{L})(?<o>first|second) half of ${year}`, 'gu'),
    ({ o, y }) => readPart({ h: toNumber(o), y }),
  ],
  [
    new RegExp(`(?<!\\p{L})(?<o>first|second|third|fourth) quarter of ${year}`, 'gu'),
    ({ o, y }) => readPart({ q: toNumber(o), y }),
  ],
  [
    /(?<=(?<!\p{L})(?:in|of|during|since|last|this)\s)q(?<q>[1-4])(?![\p{L}\d]|\s\d)/gu,
    ({ q }, now) => eachYear(undefined, now, (y) => months(y, Number(q) * 3 - 2, 3)),
  ],
  [
    new RegExp(
      `(?<=(?<!\\p{L})(?:from|between|von|zwischen|de|entre|da|van|tussen|с)\\s)${monthNames(join)}${optionalYear}`,
      'gu',
    ),
    readMonths,
  ],
  [new RegExp(`(?<!\\p{L})${monthNames(`\\s(?:${to})\\s|\\s?[-–]\\s?`)}${optionalYear}`, 'gu'), readMonths],
]

/** Finds dates, months, quarters, seasons, years and holidays in a lower-case text. */
export function readCalendarTimes(text: string, now: number): FoundTime[] {
  const found = readDates(text)
  const dates = found.map(({ readings, ...place }) => ({
    ...place,
    spans: readings.flatMap((date) => toSpans(date, now)),
  }))
  const others = readers.flatMap(([pattern, read]) =>
    matchesOf(pattern, text).map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      spans: read(match.groups ?? {}, now),
      isName: read === readSeason,
    })),
  )
  return [...dates, ...readYears(without(found, text)), ...others, ...readHolidays(text, now)].filter(
    ({ spans }) => spans.length > 0,
  )
}

/** The text with dates blanked out, whose years must not be read again ("Aug 2002 to 2007"). */
function without(dates: readonly FoundDate[], text: string): string {
  return dates.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + blank.repeat(end - start) + rest.slice(end),
    text,
  )
}

const blank = '\0'

function toSpans({ year, quarter, month = 1, day }: CalendarDate, now: number): TimeSpan[] {
  if (quarter !== undefined) return eachYear(year, now, (y) => months(y, quarter * 3 - 2, 3))
  if (day === undefined) return eachYear(year, now, (y) => months(y, month, 1))
  // 29 February is only in leap years.
  return eachYear(year, now, (y) => days(y, month, day, 1)).filter(
    ({ from }) => new Date(from).getUTCDate() === day,
  )
}

function readSeason({ s = '', y }: Groups, now: number): TimeSpan[] {
  return eachYear(y === undefined ? undefined : Number(y), now, (each) => months(each, seasonStart[s]!, 3))
}

/** A half or a quarter of a year. */
function readPart({ h, q, y }: Groups): TimeSpan[] {
  return h === undefined
    ? [months(Number(y), Number(q) * 3 - 2, 3)]
    : [months(Number(y), Number(h) * 6 - 5, 6)]
}

/** "From November to March" ends in the year after. */
function readMonths({ m = '', n = '', y }: Groups, now: number): TimeSpan[] {
  const [first, last] = [monthOfName(m), monthOfName(n)]
  if (first === undefined || last === undefined) return []
  const count = ((last - first + 12) % 12) + 1
  const startsBefore = first > last ? 1 : 0
  return eachYear(y === undefined ? undefined : Number(y) - startsBefore, now, (each) =>
    months(each, first, count),
  )
}

const toNumber = (ordinal: string | undefined) => String(ordinals[ordinal ?? ''])
