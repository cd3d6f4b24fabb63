import { toPlain } from '../dates.ts'
import { readCalendarTimes } from './calendar-times.ts'
import { bound } from './open-periods.ts'
import { narrow } from './period-parts.ts'
import { joinRanges } from './ranges.ts'
import { type TimeSpan, withoutOverlaps } from './time-span.ts'

/** Where a period without an end ends. */
export const forever = Date.UTC(9000, 0)
/** Dates without a year lie just before the end of time. */
const endOfYears = Date.UTC(2200, 0)

const hint =
  /\d{3}|\d0|[12]\d(?=th|st|\.\s?j|e\s|ème|-?[йг]|\sв)|ties(?!\p{L})|[紀纪세]|siècle|siglo|secolo|século/giu
/** A time extends at most this far from its hint. */
const reach = 48
/** A text with more than this many hints is a table. */
const hintsMax = 64

/** The periods that the dates in a text name, with their years; "since 2019" has no end. */
export function readTextTimes(text: string): TimeSpan[] {
  return partsWithTimes(text).flatMap((part) => {
    const found = withoutOverlaps(readCalendarTimes(part, forever))
    const times = withoutOverlaps(
      joinRanges(part, found).map((time) => bound(part, narrow(part, time), forever)),
    )
    return times.flatMap(({ spans }) => spans).filter(({ from }) => from < endOfYears)
  })
}

function partsWithTimes(text: string): string[] {
  const parts: [number, number][] = []
  let hints = 0
  for (const { index } of text.matchAll(hint)) {
    hints += 1
    if (hints > hintsMax) break
    const last = parts.at(-1)
    if (last !== undefined && index - reach <= last[1]) last[1] = index + reach
    else parts.push([Math.max(0, index - reach), index + reach])
  }
  return parts.map(([from, to]) => toPlain(text.slice(from, to)))
}
