import { type ObservationState, toldStates } from '@loci/contract/observations'
import type { ObservationHit, SearchObservationsResponse } from '@loci/contract/search'
import { fromIso } from '../../ground/lib/time.ts'
import { wasTrue } from '../../search/analyse/times/fact-times.ts'
import type { TimeSpan } from '../../search/analyse/times/time-span.ts'
import { readTimeSpans } from '../../search/ask/question-times.ts'

type Fact = ObservationHit['before'][number]
type Asked = { query: string; after?: string | undefined; before?: string | undefined }

/** Words that ask for what was so once, not for what to do before something. */
const asksForOnce = [
  'previously|formerly|originally|in the past|back then|over time|history of|history(?=[\\s?.!]*$)',
  'before(?= (?:it|that|this|they|he|she|we) (?:was|were|had|changed|moved)|(?: (?:it|that|this|then|now))?[\\s?.!]*$)',
  '(?:the|our|my|your|his|her|its|their) (?:old|previous|former|prior|earlier|original)',
  '(?<!(?:is|are|was|were|be|been)(?!\\p{L}).*)used to',
  '(?:what|which|who) (?:\\p{L}+ ){0,3}replaced?',
  "(?:did|has|have) (?:[\\p{L}\\p{N}'’.-]+ ){1,8}(?:replaced?|changed?)",
  'früher|ehemals|damals|ursprünglich|(?:vorher|zuvor|davor)(?=[\\s?.!]*$)|(?:vor|bis)herige[mnrs]?',
  "autrefois|auparavant|précédemment|à l['’]origine|avant(?=[\\s?.!]*$)|(?:l['’]|son |sa |notre |votre )ancien(?:ne)?",
  'anteriormente|originalmente|solía|antes(?=[\\s?.!]*$)',
].map((words) => `(?<!\\p{L})(?:${words})(?!\\p{L})`)
const asksForOnceUnspaced = '以前|かつて|もともと|前は|原来|曾经|之前是'
const asksForPast = new RegExp([...asksForOnce, asksForOnceUnspaced].join('|'), 'iu')
const readMax = 1_000

/**
 * The states to look for: a question about the past ("Where did she live in 2020?", "Where did she live before?") may
 * be answered by what was replaced since. Undefined for others.
 */
export const statesAskedAbout = (asked: Asked, now: number): ObservationState[] | undefined =>
  pastTimesIn(asked, now).length > 0 || asksForPast.test(asked.query.slice(0, readMax))
    ? [...toldStates, 'replaced']
    : undefined

/** Without what was replaced since and did not hold at the time that the question names, as far as it is known. */
export function withoutOthers(
  found: SearchObservationsResponse,
  asked: Asked,
  now: number,
): SearchObservationsResponse {
  const times = pastTimesIn(asked, now)
  if (times.length === 0) return found
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
