import type { Context } from '../../context.ts'
import { pickHeaviest, readOn } from '../../search-index/posting-lists.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import type { Subjects } from './find-subjects.ts'
import type { MatchedWords } from './vocabulary-match.ts'
import { inverseFrequency } from './weights.ts'

/** Passages read of frequent words, beyond the newest of each: what bounds a query's time in a space of any size. */
const readOnMax = 6_000

/** The passages in which the words of a question weigh most, their own and those of their subjects, best first. */
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
