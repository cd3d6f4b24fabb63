import type { Context } from '../../context.ts'
import { pickHeaviest, readOn } from '../../search-index/posting-lists.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import type { Subjects } from './find-subjects.ts'
import type { MatchedWords } from './vocabulary-match.ts'
import { inverseFrequency } from './weights.ts'

/** Passages of frequent words that are read beyond the newest of each. Bounds query time for spaces of any size. */
const readOnMax = 6_000

/** The passages with the highest weight of the question's words, their own or their subject's, best first. */
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
  return pickHeaviest([...weighted, ...subjects.lists], limit)
}
