import { setImmediate as nextTask } from 'node:timers/promises'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyse } from '../analyse/analyser.ts'
import { foldCase } from '../analyse/fold.ts'
import type { Inquiry } from '../ask/question.ts'
import { createPassageReader } from '../match/passage-reader.ts'
import { noParts } from '../rank/ranking.ts'
import { listRecentObservations, type RecentObservation } from '../store/search.repo.ts'
import type { Findings } from './findings.ts'

const recentMax = 1_000
/** Further batches of this size, to find a text of several words verbatim. */
const furtherSteps = 9
const quotesAround = /^["“„«「»]+|["“”»」«]+$/gu

/**
 * Searches for function words, emoji or symbols, which are not indexed: first the newest observations that contain the
 * query verbatim (without surrounding quotes), then those that contain all of its words.
 */
export async function findBareQuery(
  ctx: Context,
  scope: Scope,
  inquiry: Inquiry,
): Promise<Pick<Findings, 'ranked' | 'labels' | 'terms'>> {
  const { query, limit } = inquiry
  const text = foldCase(query.trim().replace(quotesAround, '') || query.trim())
  const terms = new Set(analyse(query).tokens.map((token) => token.term))
  const recent = await listRecentObservations(ctx.db, scope, recentMax)
  const further = terms.size > 1 ? await findFurther(ctx, scope, text, recent) : []
  const scored = [...recent, ...further]
    .map(({ id, content }) => ({ id, score: scoreOf(content, text, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const scoreById = new Map(scored.slice(0, limit * 2).map(({ id, score }) => [id, score]))
  const reader = createPassageReader(ctx, { ...scope, hasFurther: false }, inquiry)
  const ranked = (await reader.find([...scoreById.keys()])).map((passage) => {
    const score = scoreById.get(passage.observationId) ?? 0
    return { passage, score, parts: { ...noParts, words: score } }
  })
  ranked.sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
  return { ranked, labels: reader.labels, terms }
}

/** Older observations that contain a text verbatim, if none of the newest does. */
async function findFurther(
  ctx: Context,
  scope: Scope,
  text: string,
  newest: readonly RecentObservation[],
): Promise<RecentObservation[]> {
  const contains = ({ content }: RecentObservation) => foldCase(content).includes(text)
  if (newest.some(contains)) return []
  let last = newest.at(recentMax - 1)
  for (let step = 0; step < furtherSteps && last !== undefined; step += 1) {
    await nextTask()
    const read = await listRecentObservations(ctx.db, scope, recentMax, { before: last.id })
    const found = read.filter(contains)
    if (found.length > 0) return found
    last = read.at(recentMax - 1)
  }
  return []
}

function scoreOf(content: string, text: string, terms: ReadonlySet<string>): number {
  if (foldCase(content).includes(text)) return 1
  if (terms.size === 0) return 0
  const present = new Set(analyse(content).tokens.map((token) => token.term))
  return [...terms].every((term) => present.has(term)) ? 0.5 : 0
}
