import { dayMs } from '../../../ground/lib/time.ts'
import {
  earliest,
  endingWith,
  type FoundTime,
  type TimeSpan,
  textAfter,
  textBefore,
  withPrefix,
  withSpans,
} from './time-span.ts'

type Bounds = [pattern: RegExp, bounded: (span: TimeSpan, now: number) => TimeSpan]

const toNow = (from: number, now: number): TimeSpan => ({ from, to: now + 1 })
const upTo = (to: number): TimeSpan => ({ from: earliest, to })

const prefixes: Bounds[] = [
  [
    endingWith('since|seit|depuis|desde|dal|dallo|dalla|sinds|vanaf|ab|с|منذ'),
    ({ from }, now) => toNow(from, now),
  ],
  [
    endingWith('after|nach|après|después del?|tras|dopo|depois de|após|после|بعد'),
    ({ to }, now) => toNow(to, now),
  ],
  [
    endingWith("until|till|by|up to|bis(?: zum)?|jusqu[’'](?:à|au|en)|hasta|fino a|até|tot"),
    ({ to }) => upTo(to),
  ],
  [endingWith('before|prior to|vor|avant|antes del?|prima del?|voor|до|قبل'), ({ from }) => upTo(from)],
]
const toPresent =
  /^\s?(?:-|–|—|to|until|bis|à|au|a|hasta|al|até|ad|tot|по|до)\s?(?:the\s|zum\s|la\s)?(?:present|now|today|date|heute|jetzt|aujourd[’']hui|présent|hoy|actualidad|presente|oggi|hoje|nu|heden|vandaag|сейчас|настоящее время)(?!\p{L})/u

const suffixes: Bounds[] = [
  [toPresent, ({ from }, now) => toNow(from, now)],
  [/^\s?(?:以来|以後|以后|から|부터|이후)/u, ({ from }, now) => toNow(from, now)],
  [/^\s?(?:以前|之前|まで|이전)/u, ({ from }) => upTo(from)],
]

/** "The week before 3 May", "two weeks after Christmas", "the Saturday after 28 October". */
const besides = new RegExp(
  '(?<!\\p{L})(?:the\\s)?(?:last\\s|next\\s)?(?:(?<n>\\d{1,2}|two|three|four|five|six)\\s)?' +
    '(?<u>day|week|weekend|month|year|(?:sun|mon|tues|wednes|thurs|fri|satur)day)s?\\s(?<side>before|after)\\s(?:the\\s)?$',
  'u',
)
const unitDays: Record<string, number> = { day: 1, month: 31, year: 366 }
const small = ['one', 'two', 'three', 'four', 'five', 'six']

/** "Since May" lasts until now; "before 3 May" ends there. */
export function bound(text: string, time: FoundTime, now: number): FoundTime {
  if (time.isRange) return time
  const before = textBefore(text, time)
  const after = textAfter(text, time)
  const open = ([pattern, toBounded]: Bounds, side: string) => {
    const prefix = pattern.exec(side)?.[0]
    const span = time.calendar ?? time.spans[0]
    if (prefix === undefined || span === undefined) return []
    const bounded = toBounded(span, now)
    return bounded.from < bounded.to ? [{ affix: prefix, spans: [bounded] }] : []
  }
  const beside = readBeside(before, time)
  if (beside !== undefined) return beside
  const [opened] = prefixes.flatMap((bounds) => open(bounds, before))
  if (opened !== undefined) return withPrefix(time, opened.affix, opened.spans)
  const [closed] = suffixes.flatMap((bounds) => open(bounds, after))
  if (closed === undefined) return time
  return { ...withSpans(time, closed.spans), end: time.end + closed.affix.length }
}

/** A time given by its distance from another. */
function readBeside(prefix: string, time: FoundTime): FoundTime | undefined {
  const match = besides.exec(prefix)
  if (match === null) return undefined
  const { n, u = '', side } = match.groups ?? {}
  const unitMs = (unitDays[u] ?? 7) * dayMs
  const count = n === undefined ? 1 : small.includes(n) ? small.indexOf(n) + 1 : Number(n)
  // "Two weeks before" is about that far away; "the week before" is the whole week.
  const [near, far] = count === 1 ? [0, unitMs] : [(count - 0.5) * unitMs, (count + 0.5) * unitMs]
  const spans = time.spans.map(({ from, to }) =>
    side === 'before' ? { from: from - far, to: from - near } : { from: to + near, to: to + far },
  )
  return withPrefix(time, match[0], spans)
}
