import { periodOf } from '@loci/contract/fact-times'
import { memoised } from '../../../ground/lib/memoised.ts'
import { dayMs, type TimeBounds } from '../../../ground/lib/time.ts'
import { toPlain } from '../dates.ts'
import { readCalendarTimes } from './calendar-times.ts'
import { bound } from './open-periods.ts'
import { narrow } from './period-parts.ts'
import { joinRanges } from './ranges.ts'
import { earliest, type TimeSpan, withoutOverlaps } from './time-span.ts'

const textsMax = 2_000

/** The periods that a text names. */
const timesOf: (content: string) => readonly TimeSpan[] = memoised(textsMax, readTextTimes)

type Fact = { content: string; trueFrom: string | null; trueUntil: string | null }

/** When a fact held, as far as it is known: the times that it was given, or else the periods that its text names. */
export function timesOfFact({ content, trueFrom, trueUntil }: Fact): readonly TimeSpan[] {
  const begin = trueFrom === null ? undefined : periodOf(trueFrom)
  const end = trueUntil === null ? undefined : periodOf(trueUntil)
  if (begin === undefined && end === undefined) return timesOf(content)
  const held = { from: begin?.from ?? earliest, to: end?.to ?? forever }
  // What has no end may be an event.
  return begin === undefined || end !== undefined ? [held] : [begin, held]
}

/** Whether a fact was true at some time between the bounds, as far as it is known; else whether it was stored then. */
export function wasTrue(
  fact: Fact & { createdAt: number },
  { after, before, days = { after, before } }: TimeBounds,
): boolean {
  if (after === undefined && before === undefined) return true
  const told = [...timesOfFact(fact)]
  const times = told.length > 0 ? told : [{ from: fact.createdAt, to: fact.createdAt + 1 }]
  return times.some(({ from, to }) => {
    const bounds = from % dayMs === 0 && to % dayMs === 0 ? days : { after, before }
    return (
      from < (bounds.before ?? Number.POSITIVE_INFINITY) && to > (bounds.after ?? Number.NEGATIVE_INFINITY)
    )
  })
}

/** How a period is weighted against a longer one that contains it: "1978" is closer to "1976 to 1980" than to "the 1900s". */
const lengthPower = 0.1

/** How well the best two of these periods meet, 0 to 1. */
export function meet(asked: readonly TimeSpan[], told: readonly TimeSpan[]): number {
  let best = 0
  for (const one of asked) for (const other of told) best = Math.max(best, fit(one, other))
  return best
}

function fit(one: TimeSpan, other: TimeSpan): number {
  const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from)
  if (shared <= 0) return 0
  const [a, b] = [one.to - one.from, other.to - other.from]
  const [shorter, longer] = [Math.min(a, b), Math.max(a, b)]
  return (shared / shorter) * (shorter / longer) ** lengthPower
}

/** Where a period without an end ends. */
const forever = Date.UTC(9000, 0)
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
