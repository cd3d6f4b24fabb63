import { dayMs } from '../../../ground/lib/time.ts'
import { type FoundTime, startOfDay, type TimeSpan, textBefore, withPrefix } from './time-span.ts'

const part = new RegExp(
  '(?<!\\p{L})(?:(?<early>early(?: in)?|(?:the )?(?:start|beginning) of|anfang|début|a? ?principios de|inizio|início de|begin|в начале)|' +
    '(?<mid>mid|(?:the )?middle of|mitte|mi|(?:a )?mediados de|metà|meados de|half|в середине)|' +
    '(?<late>late(?: in)?|(?:the )?end of|ende|fin(?: de)?|(?:a )?(?:finales|fines) de|fine|fim de|final de|eind|в конце))' +
    "[\\s-](?:d[’'])?$",
  'u',
)
const nthWeek =
  /(?<!\p{L})(?:the\s)?(?<n>first|second|third|fourth|last)\s(?<many>(?:two|2)\s)?weeks?\s(?:of|in)\s$/u
const nth = ['first', 'second', 'third', 'fourth']
const week = /(?<!\p{L})(?:the\s)?week (?:of|commencing|beginning)\s(?:the\s)?$/u
/** Minimum length of periods that have parts: months, seasons, years. */
const dividedMsMin = 28 * dayMs

type Narrow = (prefix: RegExpExecArray, span: TimeSpan) => TimeSpan

/** "Late May" is its last third, "the week of 8 May" the week that contains it. */
export function narrow(text: string, time: FoundTime): FoundTime {
  const prefix = textBefore(text, time)
  const spans = time.divided === undefined ? time.spans : [time.divided]
  const isLong = spans.some(({ from, to }) => to - from >= dividedMsMin)
  const patterns: [RegExp, Narrow][] = isLong
    ? [
        [part, toThird],
        [nthWeek, toNthWeek],
      ]
    : [[week, (_, { from }) => weekOf(from)]]
  for (const [pattern, toPart] of patterns) {
    const match = pattern.exec(prefix)
    if (match === null) continue
    return withPrefix(
      time,
      match[0],
      spans.map((span) => toPart(match, span)),
    )
  }
  return time
}

function toThird({ groups }: RegExpExecArray, { from, to }: TimeSpan): TimeSpan {
  const third = groups?.early !== undefined ? 0 : groups?.mid !== undefined ? 1 : 2
  const length = (to - from) / 3
  return { from: startOfDay(from + third * length), to: startOfDay(from + (third + 1) * length) }
}

/** Weeks are counted from the first of the month; the last weeks from its end. */
function toNthWeek({ groups }: RegExpExecArray, { from, to }: TimeSpan): TimeSpan {
  const length = (groups?.many === undefined ? 7 : 14) * dayMs
  const place = nth.indexOf(groups?.n ?? '')
  if (place < 0) return { from: to - length, to }
  return { from: from + place * length, to: Math.min(to, from + (place + 1) * length) }
}

/** The week from Monday, or from the given day if it is a Sunday. */
function weekOf(moment: number): TimeSpan {
  const sinceMonday = (new Date(moment).getUTCDay() + 6) % 7
  const from = startOfDay(moment) - (sinceMonday === 6 ? 0 : sinceMonday) * dayMs
  return { from, to: from + 7 * dayMs }
}
