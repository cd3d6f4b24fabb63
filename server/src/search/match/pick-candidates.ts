import type { Context } from '../../tenancy/context.ts'
import { pickHeaviest, readOn, type WeightedList } from '../store/posting-lists.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import type { Subjects } from './subjects.ts'
import type { MatchedWords } from './vocabulary-match.ts'
import { inverseFrequency } from './weights.ts'

/** Passages of frequent words that are read beyond the newest of each. Bounds query time for spaces of any size. */
const readOnMax = 6_000
/** Passages of entities named in full that are always candidates, in addition to the others. */
export const ownPassagesMax = 50

/**
 * The passages with the highest weight of the question's words, their own or their subject's, best first; before them
 * those of the entities named in full, or else other passages that mention such an entity could leave out its own.
 */
export async function pickCandidates(
  ctx: Context,
  space: IndexedSpace,
  { words, lists }: MatchedWords,
  subjects: Subjects,
  limit: number,
): Promise<number[]> {
  const asked = words.flatMap(({ terms, count }) =>
    [...terms].map(([term, weight]) => ({ term, weight: weight * inverseFrequency(count, space.passages) })),
  )
  const terms = asked.map(({ term }) => term)
  await readOn(ctx, space, lists, terms, readOnMax)
  const weighted = asked
    .flatMap(({ term, weight }) => {
      const list = lists.get(term)
      return list === undefined ? [] : [{ ...list, weight }]
    })
    .sort((a, b) => a.count - b.count)
  const all = [...weighted, ...subjects.lists]
  const own = pickOwn(all, subjects.named)
  return [...new Set([...own, ...pickHeaviest(all, limit)])]
}

/** The passages of `named`, the heaviest if there are many. */
function pickOwn(lists: readonly WeightedList[], named: readonly Uint32Array[]): number[] {
  const own = new Set(named.flatMap((ids) => [...ids]))
  if (own.size <= ownPassagesMax) return [...own]
  const within = lists.map(({ ids, weight }) => ({ ids: ids.filter((id) => own.has(id)), weight }))
  return pickHeaviest(within, ownPassagesMax)
}
