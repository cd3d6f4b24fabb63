/** A stretch of time a query speaks of, in milliseconds since 1970; `to` is exclusive. */
export type TimeSpan = { from: number; to: number }

const dayMs = 86_400_000
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthPattern =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const dayPattern = '(\\d{1,2})(?:st|nd|rd|th)?'
const yearPattern = '((?:19|20)\\d\\d)'
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** First month (0-11) of each season, in the north; winter runs into the next year. */
const seasonStart: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }
const unitDays: Record<string, number> = { day: 1, week: 7, month: 30, year: 365 }
const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

function days(year: number, month: number, day: number, count: number): TimeSpan {
  const from = Date.UTC(year, month, day)
  return { from, to: from + count * dayMs }
}

function months(year: number, month: number, count: number): TimeSpan {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + count, 1) }
}

/** Without a year the nearest such time that is not after `now`, and the one of the year before. */
function eachYear(year: string | undefined, now: number, make: (year: number) => TimeSpan): TimeSpan[] {
  if (year) return [make(Number(year))]
  const thisYear = new Date(now).getUTCFullYear()
  return [thisYear, thisYear - 1, thisYear - 2, thisYear - 3].map(make).filter((span) => span.from <= now)
}

function monthIndex(name: string): number {
  return monthNames.indexOf(name.slice(0, 3))
}

function count(text: string): number {
  if (/^an?$/.test(text)) return 1
  const word = numberWords.indexOf(text)
  return word >= 0 ? word + 1 : Number(text)
}

type Rule = [RegExp, (match: RegExpExecArray, now: number) => TimeSpan[]]

const rules: Rule[] = [
  [/\b(\d{4})-(\d\d)-(\d\d)\b/g, ([, y, m, d]) => [days(Number(y), Number(m) - 1, Number(d), 1)]],
  [/\b(\d{4})-(\d\d)\b(?!-)/g, ([, y, m]) => [months(Number(y), Number(m) - 1, 1)]],
  [
    new RegExp(`\\b${dayPattern}(?: of)? ${monthPattern}\\b,?(?: ${yearPattern})?`, 'g'),
    ([, day, month, year], now) => eachYear(year, now, (y) => days(y, monthIndex(month!), Number(day), 1)),
  ],
  [
    new RegExp(`\\b${monthPattern} ${dayPattern}\\b(?!\\d),?(?: ${yearPattern})?`, 'g'),
    ([, month, day, year], now) => eachYear(year, now, (y) => days(y, monthIndex(month!), Number(day), 1)),
  ],
  [
    new RegExp(
      `\\b(?:in|of|during|since|early|late|mid|last|this|until|before|after|by) ${monthPattern}\\b(?! \\d)`,
      'g',
    ),
    ([, month], now) => eachYear(undefined, now, (y) => months(y, monthIndex(month!), 1)),
  ],
  [
    new RegExp(`\\b${monthPattern},? ${yearPattern}\\b`, 'g'),
    ([, month, year]) => [months(Number(year), monthIndex(month!), 1)],
  ],
  [
    new RegExp(`\\b(spring|summer|autumn|fall|winter)(?: of)?(?: ${yearPattern})?\\b`, 'g'),
    ([, season, year], now) => eachYear(year, now, (y) => months(y, seasonStart[season!]!, 3)),
  ],
  [
    new RegExp(`\\b(?:in|of|during|since|throughout) ${yearPattern}\\b`, 'g'),
    ([, year]) => [months(Number(year), 0, 12)],
  ],
  [
    /\b(today|yesterday)\b/g,
    ([, word], now) => {
      const midnight = now - (now % dayMs)
      return [word === 'today' ? { from: midnight, to: now + 1 } : { from: midnight - dayMs, to: midnight }]
    },
  ],
  [
    /\b(last|past|this|previous) (day|week|month|year)\b/g,
    ([, which, unit], now) => {
      const length = unitDays[unit!]! * dayMs
      return [{ from: now - (which === 'this' ? 1 : 2) * length, to: now + 1 }]
    },
  ],
  [
    /\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (day|week|month|year)s? ago\b/g,
    ([, many, unit], now) => {
      const length = unitDays[unit!]! * dayMs
      const middle = now - count(many!) * length
      return [{ from: middle - length / 2, to: middle + length / 2 }]
    },
  ],
  [
    new RegExp(`\\b(?:last|on|this) (${weekdays.join('|')})\\b`, 'g'),
    ([, name], now) => {
      const midnight = now - (now % dayMs)
      const back = (new Date(now).getUTCDay() - weekdays.indexOf(name!) + 7) % 7 || 7
      return [{ from: midnight - back * dayMs, to: midnight - (back - 1) * dayMs }]
    },
  ],
]

/** The stretches of time an English question names ("in May", "last summer", "3 weeks ago", "2024-05-08"). */
export function readTimeSpans(query: string, now: number): TimeSpan[] {
  const text = query.toLowerCase().slice(0, 1000)
  const spans: TimeSpan[] = []
  for (const [pattern, read] of rules) {
    for (const match of text.matchAll(pattern)) spans.push(...read(match, now))
  }
  const valid = spans.filter((span) => Number.isFinite(span.from) && Number.isFinite(span.to))
  // "7 May 2023" is also "May 2023": the narrower is meant.
  return valid.filter((span) => !valid.some((other) => isWithin(other, span)))
}

function isWithin(inner: TimeSpan, outer: TimeSpan): boolean {
  return inner.from >= outer.from && inner.to <= outer.to && inner.to - inner.from < outer.to - outer.from
}

/**
 * How well a moment fits the spans, 0 to 1. Things are told on the day or soon after they happened, so it
 * fades out after a span over the span's own length, at least two days and at most a month.
 */
export function fitsTime(spans: readonly TimeSpan[], moment: number): number {
  let best = 0
  for (const { from, to } of spans) {
    if (moment < from) continue
    const fade = Math.min(Math.max(to - from, 2 * dayMs), 30 * dayMs)
    best = Math.max(best, moment < to ? 1 : Math.exp((to - moment) / fade))
  }
  return best
}
