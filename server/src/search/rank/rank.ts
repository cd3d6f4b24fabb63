import { toId } from '../../ground/lib/ids.ts'
import type { Context } from '../../tenancy/context.ts'
import { analyse } from '../analyse/analyser.ts'
import { noFields } from '../analyse/passages.ts'
import { mayHaveAsked } from '../analyse/read-asked.ts'
import { readExcluded } from '../ask/question.ts'
import { type Candidates, mergePassages } from '../match/candidates.ts'
import { termsOf } from '../match/subjects.ts'
import { readObservations } from '../store/read-space.ts'
import { addTold } from './add-told.ts'
import { expandOverGraph, liftBest, suretyOf } from './expand-over-graph.ts'
import { type RankedObservation, type RankingInput, rankObservations } from './ranking.ts'
import { type RerankedObservation, rerank, rerankedMax } from './rerank.ts'

/** Number of best hits from which the walk starts. */
const seedHits = 3
const seedsMax = 24
const openingPassages = 5

/** The candidates with what they are worth, best first. */
export type Ranked = Candidates & { ranked: RerankedObservation[] }

export async function rank(ctx: Context, candidates: Candidates): Promise<Ranked> {
  const { isFirstPerson, expand } = candidates.question
  const first = await rankWithNeighbours(candidates)
  const { ranked, passages } = expand ? await rankWithGraph(ctx, candidates, first) : first
  const told = await addTold(ranked, candidates, rerankedMax)
  const corrected = rerank(told, { ...candidates, passages, isFirstPerson }, candidates.counter)
  return { ...candidates, passages, ranked: expand ? liftBest(corrected) : corrected }
}

type Ranking = { ranked: RankedObservation[]; passages: RankingInput['passages'] }

/** Ranks twice: the best are ranked again with their neighbours, which may be better answers. */
async function rankWithNeighbours(input: Candidates & RankingInput): Promise<Ranking> {
  const { asked, reader, counter, fields, passages, pace } = input
  const askedTermsOf = (text: string) => (mayHaveAsked(text, asked) ? termsOf(text) : [])
  for (const { id, name, type } of reader.labels.values()) {
    if (!fields.has(id)) fields.set(id, { ...noFields, name: askedTermsOf(name), type: askedTermsOf(type) })
  }
  await reader.place(passages)
  await pace()
  const first = rankObservations(input, counter, seedsMax).map(({ passage }) => passage)
  await reader.surround(first)
  const neighbours = await reader.findNeighbours(first)
  const all = mergePassages(passages, neighbours)
  await reader.place(all)
  await pace()
  return { ranked: rankObservations({ ...input, passages: all }, counter), passages: all }
}

/** Ranks again with passages that the graph reaches from the best ones, if it reaches any. */
async function rankWithGraph(
  ctx: Context,
  input: Candidates & RankingInput,
  first: Ranking,
): Promise<Ranking> {
  const best = first.ranked.slice(0, seedHits)
  const surety = suretyOf(best)
  const reached = await expandOverGraph(ctx, input.space, best, [...input.named.keys()])
  if (reached.size === 0) return first
  const near = [...reached].sort((a, b) => b[1] - a[1]).slice(0, seedsMax)
  const entityIds = near.map(([entityId]) => entityId)
  const openings = await input.reader.findOpenings(entityIds, openingPassages)
  const nearness = new Map([...reached].map(([entityId, share]) => [entityId, surety * share]))
  return rankWithNeighbours({ ...input, nearness, passages: mergePassages(first.passages, openings) })
}

/** Number of best observations whose text is checked, since the index has neither function words nor word order. */
const readMax = 60
const phraseFactor = 2
/** Factors for texts that negate the excluded terms, or affirm them. */
const agreeingFactor = 1.2
const contradictingFactor = 0.5

/** Reranks the results by the question's quoted phrases and negations. */
export async function rankByWording(
  { db }: Context,
  { question: { phrases, excluded }, space, ranked }: Ranked,
): Promise<RerankedObservation[]> {
  if (phrases.length === 0 && excluded.length === 0) return ranked
  const best = ranked.slice(0, readMax)
  const ids = best.map(({ passage }) => toId('obs', passage.observationId))
  const contents = new Map((await readObservations(db, space, ids)).map(({ id, content }) => [id, content]))
  const again = best.map((hit) => {
    const content = contents.get(toId('obs', hit.passage.observationId)) ?? ''
    return { ...hit, score: hit.score * factorOf(content, phrases, excluded) }
  })
  return [...again, ...ranked.slice(readMax)].sort((a, b) => b.score - a.score)
}

function factorOf(content: string, phrases: readonly string[][], excluded: readonly string[]): number {
  const { tokens, language } = analyse(content)
  const terms = tokens.map(({ term }) => term)
  const said = ` ${terms.join(' ')} `
  const phrase = phrases.some((words) => said.includes(` ${words.join(' ')} `)) ? phraseFactor : 1
  if (!excluded.some((term) => terms.includes(term))) return phrase
  const denied = readExcluded(content, tokens, language)
  const isDenied = excluded.some((term) => denied.includes(term))
  return phrase * (isDenied ? agreeingFactor : contradictingFactor)
}
