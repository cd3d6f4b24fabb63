import { dayMs } from '../../ground/lib/time.ts'
import { toPlain } from '../analyse/dates.ts'
import { bound } from '../analyse/times/bounds.ts'
import { readCalendarTimes } from '../analyse/times/calendar-times.ts'
import { readCountedTimes } from '../analyse/times/counted-times.ts'
import { narrow } from '../analyse/times/parts.ts'
import { joinRanges } from '../analyse/times/ranges.ts'
import { readRelativeTimes } from '../analyse/times/relative-times.ts'
import { type FoundTime, type TimeSpan, withoutOverlaps } from '../analyse/times/spans.ts'
import { readWeekdays } from '../analyse/times/weekdays.ts'

const readLengthMax = 1_000

/** The periods that a question names ("in May", "last summer", "3 weeks ago", "seit gestern", "2024-05-08"). */
export function readTimeSpans(query: string, now: number): TimeSpan[] {
  return timeSpansOf(readTimes(query, now).filter(({ isVague }) => !isVague))
}

/** The spans of times, only the narrower one if one contains another. */
export function timeSpansOf(times: readonly FoundTime[]): TimeSpan[] {
  const spans = times.flatMap((time) => time.spans)
  const valid = spans.filter((span) => Number.isFinite(span.from) && Number.isFinite(span.to))
  // "On Monday last week" means the narrower one.
  return valid.filter((span) => !valid.some((other) => isWithin(other, span)))
}

let last: { query: string; now: number; times: FoundTime[] } | undefined

/** The times that a text names, with their positions. Cached, since a search needs those of its question repeatedly. */
export function readTimes(query: string, now: number): FoundTime[] {
  if (last?.query !== query || last.now !== now) last = { query, now, times: readTimesAnew(query, now) }
  return last.times
}

function readTimesAnew(query: string, now: number): FoundTime[] {
  const text = toPlain(query.slice(0, readLengthMax))
  const found = [
    ...readCalendarTimes(text, now),
    ...readRelativeTimes(text, now),
    ...readCountedTimes(text, now),
    ...readWeekdays(text, now),
  ]
  const joined = joinRanges(text, withoutOverlaps(found))
  return withoutOverlaps(joined.map((time) => bound(text, narrow(text, time), now)))
}

function isWithin(inner: TimeSpan, outer: TimeSpan): boolean {
  return inner.from >= outer.from && inner.to <= outer.to && inner.to - inner.from < outer.to - outer.from
}

/**
 * How well a moment fits the spans, 0 to 1. Events are recorded on the day or soon after, so the value fades out after
 * a span over the span's own length, at least two days and at most a month.
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
