import { MomentInput } from '@loci/contract/text'
import { fromIso } from '../../ground/lib/time.ts'
import { earliest } from '../analyse/times/spans.ts'
import { readTimes, timeSpansOf } from './time-expressions.ts'

const lengthMax = 100
/** Without a zone, which means UTC. */
const zoneless = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/

/**
 * A time in milliseconds, from an ISO-8601 date or date-time, or the start of a period in words ("last week", "Monday",
 * "May 2024"). Undefined if the text is not a time.
 */
export function readMoment(text: string, now: number): number | undefined {
  const written = text.trim()
  if (written.length > lengthMax) return undefined
  if (MomentInput.safeParse(written).success) return fromIso(written)
  if (zoneless.test(written)) {
    const moment = fromIso(`${written.replace(' ', 'T')}Z`)
    return Number.isNaN(moment) ? undefined : moment
  }
  if (written.toLowerCase() === 'now') return now
  const readings = [written, `on ${written}`, `in ${written}`, `${written} ago`].map(
    (words) => timeSpansOf(readTimes(words, now))[0],
  )
  const span = readings.find((reading) => reading !== undefined)
  // "Before May" has no start.
  return span?.from === earliest ? span.to : span?.from
}
