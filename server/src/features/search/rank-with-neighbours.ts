import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { type EntityFields, noFields } from '../../search-index/passages.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import type { Passage, WordCounter } from './count-words.ts'
import { expandOverGraph, seedHits } from './expand-over-graph.ts'
import { termsOf } from './find-names.ts'
import type { Findings } from './findings.ts'
import { type RankingInput, rankObservations } from './ranking.ts'
import {
  type EntityLabel,
  findEntityLabels,
  findPassagesAt,
  isFiltered,
  type PassageFilter,
  type PassageRange,
} from './search.repo.ts'
import { weights } from './weights.ts'

const seedsMax = 24
const openingPassages = 5

export type Unranked = Omit<RankingInput, 'passages'> & {
  counter: WordCounter
  labels: Map<number, EntityLabel>
  fields: Map<number, EntityFields>
}

type Ranking = Pick<Findings, 'ranked' | 'passages' | 'surrounded'>

/** Ranks twice: what comes first alone is ranked again with its neighbours, which may be the better answers. */
export async function rankWithNeighbours(
  ctx: Context,
  space: IndexedSpace,
  input: Unranked,
  passages: readonly Passage[],
  filter: PassageFilter,
): Promise<Ranking> {
  const unlabelled = new Set(
    passages.map((passage) => passage.entityId).filter((id) => !input.labels.has(id)),
  )
  for (const label of await findEntityLabels(ctx.db, ctx.dialect, space, [...unlabelled])) {
    input.labels.set(label.id, label)
  }
  for (const { id, name, type } of input.labels.values()) {
    if (!input.fields.has(id)) input.fields.set(id, { ...noFields, name: termsOf(name), type: termsOf(type) })
  }
  // SQLite answers at once: without this nothing else would have its turn until the search is through.
  await nextTurn()
  const first = rankObservations({ ...input, passages }, input.counter).slice(0, seedsMax)
  const ranges = first.map(({ passage }) => ({
    entityId: passage.entityId,
    from: passage.position - weights.neighboursMax,
    to: passage.position + weights.neighboursMax,
  }))
  const neighbours = await findPassagesAt(ctx.db, ctx.dialect, space, joinRanges(ranges), filter)
  const all = mergePassages(passages, neighbours)
  await nextTurn()
  return {
    ranked: rankObservations({ ...input, passages: all }, input.counter),
    passages: all,
    surrounded: new Set(isFiltered(filter) ? [] : first.map(({ passage }) => passage.id)),
  }
}

/** Ranks once more, with the passages that the graph leads to from those ranked first. */
export async function rankWithGraph(
  ctx: Context,
  space: IndexedSpace,
  input: Unranked,
  { ranked, passages }: Ranking,
  filter: PassageFilter,
): Promise<Ranking> {
  const nearness = await expandOverGraph(ctx, space, ranked, [...input.named.keys()])
  const near = [...nearness].sort((a, b) => b[1] - a[1]).slice(0, seedsMax)
  const ranges = near.map(([entityId]) => ({ entityId, from: 0, to: openingPassages - 1 }))
  const reached = await findPassagesAt(ctx.db, ctx.dialect, space, ranges, filter)
  const origins = new Set(ranked.slice(0, seedHits).map(({ passage }) => passage.id))
  const all = mergePassages(passages, reached)
  return rankWithNeighbours(ctx, space, { ...input, nearness, origins }, all, filter)
}

function joinRanges(ranges: readonly PassageRange[]): PassageRange[] {
  const joined: PassageRange[] = []
  const sorted = [...ranges].sort((a, b) => a.entityId - b.entityId || a.from - b.from)
  for (const range of sorted) {
    const last = joined.at(-1)
    if (last?.entityId === range.entityId && range.from <= last.to + 1) last.to = Math.max(last.to, range.to)
    else joined.push({ ...range })
  }
  return joined
}

/** All of the passages, each once. */
export function mergePassages(...some: readonly (readonly Passage[])[]): Passage[] {
  return [...new Map(some.flat().map((passage) => [passage.id, passage])).values()]
}
