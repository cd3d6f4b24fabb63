import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../tenancy/context.ts'
import type { AskedWords } from '../analyse/asked-words.ts'
import { type EntityFields, noFields } from '../analyse/passages.ts'
import { mayHaveAsked } from '../analyse/read-asked.ts'
import type { Passage, WordCounter } from '../match/count-words.ts'
import { termsOf } from '../match/subjects.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { expandOverGraph, seedHits } from './expand-over-graph.ts'
import type { PassageBook } from '../match/passage-reader.ts'
import { type RankedObservation, type RankingInput, rankObservations } from './ranking.ts'

const seedsMax = 24
const openingPassages = 5

export type Unranked = Omit<RankingInput, 'passages'> & {
  counter: WordCounter
  book: PassageBook
  asked: AskedWords
  fields: Map<number, EntityFields>
}

type Ranking = { ranked: RankedObservation[]; passages: readonly Passage[] }

/** Ranks twice: the best are ranked again with their neighbours, which may be better answers. */
export async function rankWithNeighbours(input: Unranked, passages: readonly Passage[]): Promise<Ranking> {
  const { asked, book, counter, fields } = input
  const askedTermsOf = (text: string) => (mayHaveAsked(text, asked) ? termsOf(text) : [])
  for (const { id, name, type } of book.labels.values()) {
    if (!fields.has(id)) fields.set(id, { ...noFields, name: askedTermsOf(name), type: askedTermsOf(type) })
  }
  await book.place(passages)
  // SQLite is synchronous: without this, nothing else would run until the search is done.
  await nextTurn()
  const ranked = rankObservations({ ...input, passages }, counter)
  const first = ranked.slice(0, seedsMax).map(({ passage }) => passage)
  await book.surround(first)
  const neighbours = await book.findNeighbours(first)
  const all = mergePassages(passages, neighbours)
  await book.place(all)
  await nextTurn()
  return { ranked: rankObservations({ ...input, passages: all }, counter), passages: all }
}

/** Ranks again, adding passages reached through the graph from the best ones. */
export async function rankWithGraph(
  ctx: Context,
  space: IndexedSpace,
  input: Unranked,
  { ranked, passages }: Ranking,
): Promise<Ranking> {
  const nearness = await expandOverGraph(ctx, space, ranked, [...input.named.keys()])
  const near = [...nearness].sort((a, b) => b[1] - a[1]).slice(0, seedsMax)
  const entityIds = near.map(([entityId]) => entityId)
  const reached = await input.book.findOpenings(entityIds, openingPassages)
  const origins = new Set(ranked.slice(0, seedHits).map(({ passage }) => passage.id))
  return rankWithNeighbours({ ...input, nearness, origins }, mergePassages(passages, reached))
}

/** All passages, without duplicates. */
export function mergePassages(...some: readonly (readonly Passage[])[]): Passage[] {
  return [...new Map(some.flat().map((passage) => [passage.id, passage])).values()]
}
