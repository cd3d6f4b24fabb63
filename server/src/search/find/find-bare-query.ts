import { createPace } from '../../ground/lib/pace.ts'
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
/** Further observations, to find a text of several words verbatim. */
const furtherMax = 9_000
/** Each can have 65,536 characters, and a read is one piece of the thread. */
const textsPerRead = 100
/** Of long texts, fewer are read and analysed: analysing a million characters takes a quarter of a second. */
const readCharactersMax = 16 * 1024 ** 2
const analysedCharactersMax = 1024 ** 2
/** Of one text, since its analysis is one piece of the thread. */
const analysedPerText = 8_000
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
  const scored = (await scoreNewest(ctx, scope, text, terms)).sort((a, b) => b.score - a.score)
  const scoreById = new Map(scored.slice(0, limit * 2).map(({ id, score }) => [id, score]))
  const reader = createPassageReader(ctx, { ...scope, hasFurther: false }, inquiry)
  const ranked = (await reader.find([...scoreById.keys()])).map((passage) => {
    const score = scoreById.get(passage.observationId) ?? 0
    return { passage, score, parts: { ...noParts, words: score } }
  })
  ranked.sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
  return { ranked, labels: reader.labels, terms }
}

/** The newest observations that match; if none of them contains the text verbatim, older ones that do. */
async function scoreNewest(
  ctx: Context,
  scope: Scope,
  text: string,
  terms: ReadonlySet<string>,
): Promise<{ id: number; score: number }[]> {
  // A query of invisible characters alone: every text contains the empty one.
  if (text === '') return []
  const pace = createPace()
  const scored: { id: number; score: number }[] = []
  let [read, room, isVerbatim] = [0, analysedCharactersMax, false]
  for await (const { id, content } of readNewest(
    ctx,
    scope,
    terms.size > 1 ? recentMax + furtherMax : recentMax,
  )) {
    if (isVerbatim && read % recentMax === 0) break
    read += 1
    await pace()
    if (foldCase(content).includes(text)) {
      isVerbatim = true
      scored.push({ id, score: 1 })
    } else if (terms.size > 0 && read <= recentMax && room > 0) {
      const beginning = content.slice(0, analysedPerText)
      room -= beginning.length
      if (hasAll(beginning, terms)) scored.push({ id, score: 0.5 })
    }
  }
  return scored
}

async function* readNewest({ db }: Context, scope: Scope, max: number): AsyncGenerator<RecentObservation> {
  let [room, before]: [number, number | undefined] = [readCharactersMax, undefined]
  for (let read = 0; read < max && room > 0; read += textsPerRead) {
    const texts = await listRecentObservations(db, scope, textsPerRead, { before })
    yield* texts
    room -= texts.reduce((sum, { content }) => sum + content.length, 0)
    if (texts.length < textsPerRead) return
    before = texts.at(-1)?.id
  }
}

function hasAll(content: string, terms: ReadonlySet<string>): boolean {
  const present = new Set(analyse(content).tokens.map((token) => token.term))
  return [...terms].every((term) => present.has(term))
}
