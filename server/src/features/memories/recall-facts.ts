import type { ObservationHit } from '@loci/contract/search'
import { inLines } from '../../ground/lib/for-models.ts'
import { compareIds } from '../../ground/lib/ids.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import { dayOfIso } from '../../ground/lib/time.ts'
import { estimateTokens } from '../../ground/lib/tokens.ts'
import type { Highlight } from '../../search/find/hits.ts'
import { compareWithEarlier, createFactReader, findReplaced } from '../../search/find/rivals.rules.ts'
import { excerpt } from './excerpt.ts'
import { afterInLines, beforeInLines, costOfFact } from './fact-lines.ts'
import { remarkOf } from './fact-remarks.ts'
import { type Budget, costOf } from './recall-budget.ts'
import type { RecalledFact } from './recalled.ts'
import type { Receipts } from './receipts.ts'

/** One observation gets at most this part of the budget, so that others fit as well. */
const longestPart = 0.08
const neighbourPart = 0.1
/** Number of observations that do not fit that are skipped to reach shorter ones. */
const passedOverMax = 3

type TakingFacts = {
  perEntityMax: number
  isFirstForced: boolean
  /** Who wrote a fact, by its id, if that was not the caller's own user. */
  writers: ReadonlyMap<string, string>
  sources: ReadonlyMap<string, string>
  /** The later fact that may have taken the place of a fact, by its id. */
  newer?: ReadonlyMap<string, string>
}
type Taken = { fact: RecalledFact; hit: ObservationHit }

/** The hits with the words of the question highlighted in texts that may be cut to a part. */
export async function markLong(
  budget: Budget,
  hits: readonly ObservationHit[],
  highlight: Highlight,
): Promise<ObservationHit[]> {
  const longest = budget.left * longestPart
  const marked: ObservationHit[] = []
  for (const hit of hits) {
    const isWhole = estimateTokens(hit.content) <= longest
    marked.push(isWhole ? hit : { ...hit, highlights: await highlight(hit.content) })
  }
  return marked
}

/**
 * The hits that fit the budget, best first, with their neighbours. No text appears twice, as a hit or as a neighbour.
 * `left` counts the distinct hits that did not fit. If `isFirstForced`, the first is taken even if it does not fit.
 */
export function takeFacts(
  budget: Budget,
  hits: readonly ObservationHit[],
  { perEntityMax, isFirstForced, newer, ...receipts }: TakingFacts,
): { facts: RecalledFact[]; left: number } {
  const longest = budget.left * longestPart
  const told = new Set<string>()
  const waiting = new Set(hits.map(({ id }) => id))
  const perEntity = new Map<string, number>()
  const taken: Taken[] = []
  let left = 0
  for (const hit of hits) {
    const key = keyOf(hit.entity.id, hit.content)
    if (told.has(key)) continue
    const ofEntity = perEntity.get(hit.entity.id) ?? 0
    const fact = toFact(hit, excerpt(hit, longest), receipts, newer?.get(hit.id))
    const cost = costOfFact(fact, ofEntity === 0)
    const fits = left < passedOverMax && ofEntity < perEntityMax && cost <= budget.left
    if (!fits && !(isFirstForced && taken.length === 0)) {
      left += 1
      continue
    }
    told.add(key)
    perEntity.set(hit.entity.id, ofEntity + 1)
    budget.left -= cost
    const before = takeNeighbours(hit.entity.id, hit.before.toReversed(), beforeInLines).reverse()
    const after = takeNeighbours(hit.entity.id, hit.after, afterInLines)
    if (before.length > 0) fact.before = before
    if (after.length > 0) fact.after = after
    taken.push({ fact, hit })
  }
  lengthen(budget, taken, longest)
  return { facts: taken.map(({ fact }) => fact), left }

  /** Takes neighbours, nearest first, that are new and fit. */
  function takeNeighbours(
    entityId: string,
    neighbours: ObservationHit['before'],
    shown: (text: string) => string,
  ): string[] {
    const texts: string[] = []
    for (const { id, content } of neighbours) {
      const key = keyOf(entityId, content)
      if (waiting.has(id) || told.has(key)) continue
      const cost = costOf(shown(content))
      if (cost > budget.left * neighbourPart || cost > longest) break
      told.add(key)
      budget.left -= cost
      texts.push(content)
    }
    return texts
  }
}

/** Spends the rest of the budget on lengthening texts that were cut, best first. */
function lengthen(budget: Budget, taken: readonly Taken[], longest: number): void {
  for (const { fact, hit } of taken) {
    if (fact.content === hit.content) continue
    const before = costOf(inLines(fact.content))
    const longer = excerpt(hit, longest + Math.max(0, budget.left))
    const more = costOf(inLines(longer)) - before
    if (more > budget.left) continue
    budget.left -= more
    fact.content = longer
  }
}

const minuteLength = 'yyyy-mm-ddThh:mm'.length
/** Texts are compared up to this length, and facts of one entity up to this number. */
const comparedCharacters = 1_000
const comparedMax = 12
/** What was read of the facts of so many entities is kept, since the next question is often about the same. */
const readersMax = 50
const readerOf = memoised(readersMax, (name) => createFactReader(name, 2 * comparedMax))

/** For facts that a later one of their entity among these seems to replace, that one. */
export function findNewer(hits: readonly ObservationHit[]): Map<string, string> {
  const newer = new Map<string, string>()
  for (const ofEntity of Map.groupBy(hits, ({ entity }) => entity.id).values()) {
    const facts = ofEntity
      .slice(0, comparedMax)
      .map(({ id, content, entity }) => ({ id, content: content.slice(0, comparedCharacters), entity }))
      .sort((a, b) => compareIds(a.id, b.id))
    if (facts.length === 1) continue
    const reader = readerOf(facts[0]!.entity.name)
    const compared = compareWithEarlier(facts, reader)
    for (const [index, { id, content, entity }] of facts.entries()) {
      for (const replaced of findReplaced(content, facts.slice(0, index), entity.name, reader, compared))
        if (replaced.content !== content) newer.set(replaced.id, id)
    }
  }
  return newer
}

/** Adds the time of day to facts of the same date, of which one may say something else than the other. */
export function tellTimes(facts: readonly RecalledFact[], hits: readonly ObservationHit[]): void {
  const times = new Map(hits.map(({ id, createdAt }) => [id, createdAt]))
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  const pairs = facts.flatMap((fact) => {
    const later = byId.get(fact.newer ?? '')
    return later !== undefined && later.createdAt === fact.createdAt ? [fact, later] : []
  })
  for (const fact of pairs) fact.createdAt = `${times.get(fact.id)?.slice(0, minuteLength)}Z`
}

const keyOf = (entityId: string, content: string) => `${entityId} ${content}`

function toFact(
  { id, entity, createdAt, at, until, replacedBy, stale }: ObservationHit,
  content: string,
  { writers, sources }: Receipts,
  newer: string | undefined,
): RecalledFact {
  const [by, source] = [writers.get(id), sources.get(id)]
  return {
    id,
    entity: { name: entity.name, entityType: entity.type },
    content,
    createdAt: dayOfIso(createdAt),
    ...(at === undefined ? {} : { at }),
    ...(until === undefined ? {} : { until }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
    ...(newer === undefined ? {} : { newer }),
    ...(stale === undefined ? {} : { stale: remarkOf(stale) }),
    ...(by === undefined ? {} : { by }),
    ...(source === undefined ? {} : { source }),
  }
}
