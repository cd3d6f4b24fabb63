import { type ObservationState, toldStates } from '@loci/contract/observations'
import type { ObservationHit, SearchObservationsResponse } from '@loci/contract/search'
import { fromIso } from '../../ground/lib/time.ts'
import { wasTrue } from '../../search/analyse/times/fact-times.ts'
import type { TimeSpan } from '../../search/analyse/times/time-span.ts'
import { readTimeSpans } from '../../search/ask/question-times.ts'

type Fact = ObservationHit['before'][number]
type Asked = { query: string; after?: string | undefined; before?: string | undefined }

/**
 * The states to look for: a question about the past ("Where did she live in 2020?") may be answered by what was replaced
 * since. Undefined for others.
 */
export const statesAskedAbout = (asked: Asked, now: number): ObservationState[] | undefined =>
  pastTimesIn(asked, now).length === 0 ? undefined : [...toldStates, 'replaced']

/** Without what was replaced since and did not hold at the time of the question, as far as it is known. */
export function withoutOthers(
  found: SearchObservationsResponse,
  asked: Asked,
  now: number,
): SearchObservationsResponse {
  const times = pastTimesIn(asked, now)
  const isToldThen = (one: Fact) => one.replacedBy === undefined || held(one, times)
  const observations = found.observations.filter(isToldThen).map((hit) => ({
    ...hit,
    before: hit.before.filter(isToldThen),
    after: hit.after.filter(isToldThen),
  }))
  return { ...found, observations, total: found.total - (found.observations.length - observations.length) }
}

function pastTimesIn({ query, after, before }: Asked, now: number): TimeSpan[] {
  const bounds =
    before === undefined ? [] : [{ from: after === undefined ? 0 : fromIso(after), to: fromIso(before) }]
  return [...readTimeSpans(query, now), ...bounds].filter(({ to }) => to <= now)
}

/** What does not say since when it was true counts from when it was stored. */
function held({ content, at, until, createdAt }: Fact, times: readonly TimeSpan[]): boolean {
  const fact = { content, trueFrom: at ?? createdAt, trueUntil: until ?? null, createdAt: fromIso(createdAt) }
  return times.some(({ from, to }) => wasTrue(fact, { after: from, before: to }))
}
