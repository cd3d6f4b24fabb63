import { matchesOf } from '../../../ground/lib/matches.ts'
import { type FoundTime, type TimeSpan, years } from './time-span.ts'

type Groups = Record<string, string | undefined>
type Reader = [pattern: RegExp, read: (groups: Groups) => TimeSpan[]]

const anyYear = '(?:1\\d{3}|20\\d\\d)'
const recentYear = '(?:19|20)\\d\\d'
/** Words before a year. A number below 1900 is a year only after one of these. */
const prefix =
  '(?:in|during|since|throughout|before|after|until|till|by|from|to|between|around|circa|early|mid|late|year|years|born|died|founded|' +
  'jahre?|seit|bis|von|zwischen|vor|nach|um|en|depuis|année|avant|après|jusqu.en|desde|hasta|antes de|em|até|nel|nell.anno|dal|al|fino al|à|au|' +
  'sinds|tot|van|в|с|до|после|عام|سنة|منذ)[\\s-]'
/** After one of these a number counts or names something else. */
const otherNumber =
  '(?:build|version|release|port|error|code|room|line|page|issue|pr|ticket|no\\.?|nr\\.?|number|rfc|iso|route|model|flight|mars|' +
  'step|id|intellij|windows|office|sql|server|zeile|seite|raum|zimmer|fehler)\\s'
const unit =
  '\\s?(?:%|€|\\$|km|kg|g|m|mm|cm|px|ms|mb|gb|tb|kb|kwh|eur|usd|euros?|dollars?|tokens?|users?|people|rows?|lines?|items?|words?|' +
  'characters?|bytes?|entities|observations?|requests?|calories|points?|miles|feet|hours?|minutes?|seconds?|days?|members?|' +
  'employees|seats?|copies|einwohner|mitarbeiter|nutzer|zeilen|stunden|minuten)(?!\\p{L})'
/** A number must not be part of an identifier, a price or a longer number. */
const start = `(?<![\\p{L}\\p{N}$€£#@_/\\\\:-]|[\\p{N}][.,]|(?<!\\p{L})${otherNumber})`
const end = `(?![\\p{Script=Latin}\\p{N}_/\\\\@]|[.,:-]\\p{N}|${unit})`
/** "1500 users" is a count. */
const notCounted = '(?!\\s\\p{L}+s(?!\\p{L}))'
const between =
  '\\s?(?:-|–|—|~|〜|～)\\s?|\\s(?:to|until|till|through|bis|à|au|a|al|hasta|fino al|até|tot|по|до|إلى)\\s'
const both =
  `(?<=(?<!\\p{L})(?:between|zwischen|entre|tra|fra|tussen|между|بين)\\s)(?<y>${anyYear})\\s` +
  `(?:and|und|et|y|e|en|и|و)\\s?(?<z>${anyYear})${end}`
const decade = '(?<t>\\d0)'
const century = '(?<c>1\\d|2[01])'

const spellings: Record<string, number> = {}
const spelt = ['twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties']
spelt.forEach((name, i) => {
  spellings[name] = 20 + 10 * i
})
const romans: Record<string, number> = { x: 10, v: 5, i: 1 }

const readers: Reader[] = [
  [`${start}(?<y>${anyYear})(?:${between})(?<z>${anyYear})${end}`, readRange],
  [both, readRange],
  [`${start}(?<y>${anyYear})\\s?[–—/]\\s?(?<z>\\d\\d)${end}`, readShortRange],
  // "1996-98", but 1996-08 is a month.
  [`${start}(?<y>${anyYear})\\s?-\\s?(?<z>1[3-9]|[2-9]\\d)${end}`, readShortRange],
  [`(?<=(?<!\\p{L})${prefix})(?<y>${anyYear})${end}${notCounted}`, readYear],
  [`${start}(?<y>${recentYear})${end}`, readYear],
  ['(?<!\\p{N})(?<y>1\\d{3}|20\\d\\d)\\s?[年년](?![代대]|\\s?\\p{N})', readYear],
  [
    "(?<!\\p{N})(?<y>1\\d|20)(?<t>\\d0)(?:['’]?s|er(?:\\s?jahren?)?|-[ехм]{1,2}|\\s?年代|\\s?년대)(?![\\p{Script=Latin}])",
    readDecade,
  ],
  [
    `(?<!\\p{L})(?:années|los años|los|años|anni|anos|jaren)\\s['’]?(?<y>1\\d|20)?${decade}(?!\\p{N})`,
    readDecade,
  ],
  [
    `(?<=(?<!\\p{L})(?:the|early|mid|late|die|den|der)[\\s-])['’]?${decade}['’]?(?:s|er)(?!\\p{L})`,
    readDecade,
  ],
  [`(?<![\\p{L}\\p{N}])['’]${decade}s(?!\\p{L})`, readDecade],
  [`(?<!\\p{N})(?<t>[2-9]0)\\s?(?:年代|년대)`, readDecade],
  [`(?<!\\p{L})(?:the|early|mid|late)[\\s-](?<w>${spelt.join('|')})(?!\\p{L})`, readDecade],
  [
    `(?<!\\p{N})${century}(?:(?:th|st)[\\s-]centur(?:y|ies)|\\.\\s?jahrhunderts?|(?:e|ème)\\s(?:siècle|eeuw)|-?[йгом]*\\sвек[еа]?|\\s?世[紀纪]|\\s?세기)`,
    readCentury,
  ],
  [
    `(?<!\\p{L})(?:siglo|secolo|século|(?<r0>[xvi]{1,5})(?:e|ème)\\ssiècle)(?:\\s(?<r>[xvi]{1,5}))?(?!\\p{L})`,
    readCentury,
  ],
].map(([pattern, read]) => [new RegExp(pattern as string, 'gu'), read as Reader[1]])

/** Every year, decade or century contains a digit or one of these. */
export const yearHint = /\p{N}\p{N}|ties(?!\p{L})|siècle|siglo|secolo|século/u

/** Finds years, decades, centuries and ranges of years in a lower-case text. */
export function readYears(text: string): FoundTime[] {
  if (!yearHint.test(text)) return []
  return readers.flatMap(([pattern, read]) =>
    matchesOf(pattern, text).flatMap((match) => {
      const spans = read(match.groups ?? {})
      const place = { start: match.index, end: match.index + match[0].length }
      return spans.length === 0 ? [] : [{ ...place, spans, isRange: match.groups?.z !== undefined }]
    }),
  )
}

function readYear({ y }: Groups): TimeSpan[] {
  return [years(Number(y), 1)]
}

function readRange({ y, z }: Groups): TimeSpan[] {
  const count = Number(z) - Number(y) + 1
  return count > 1 ? [years(Number(y), count)] : []
}

/** "1996–98" ends in the century in which it begins. */
function readShortRange({ y = '', z = '' }: Groups): TimeSpan[] {
  return readRange({ y, z: y.slice(0, 2) + z })
}

/** Without a century, that of the last such decade that is over or has begun. */
function readDecade({ y, t, w }: Groups): TimeSpan[] {
  const tens = w === undefined ? Number(t) : spellings[w]!
  return [years((y === undefined ? (tens < 20 ? 20 : 19) : Number(y)) * 100 + tens, 10)]
}

function readCentury({ c, r, r0 }: Groups): TimeSpan[] {
  const number = c === undefined ? fromRoman(r0 ?? r ?? '') : Number(c)
  return number > 10 && number < 22 ? [years((number - 1) * 100, 100)] : []
}

function fromRoman(text: string): number {
  const digits = [...text].map((letter) => romans[letter]!)
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0)
}
