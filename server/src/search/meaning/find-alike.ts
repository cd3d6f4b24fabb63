import type { Context } from '../../tenancy/context.ts'
import type { Question } from '../ask/question.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import type { Meaning } from './find-by-meaning.ts'
import { readSpaceVectors } from './vectors-in-memory.ts'
import { isTranslated, toTextVector } from './word-vectors.ts'

/** Score of the passage most like the question. */
const weight = 0.3
/** The same if the question has a digit: numbers have no meaning here. */
const weightBesideDigits = 0.07
const digit = /\d/
/** How similar a passage must be to be found without a word in common, beside others found by words, and alone. */
const similarityMin = { beside: 0.15, alone: 0.25 }
/** Up to this, a passage is no more like the question than any other, also if it is the most like it of a few. */
const unlikeMax = 0.05
/** The part of the passages compared that may join so: each is read and ranked. */
const joiningShare = 0.15

const nothing: Meaning = { scores: new Map(), alike: [], isBuiltIn: true, ofExact: 0 }

/**
 * The passages whose words mean something like those of an English question, by word vectors that come with the
 * program. The scale runs from the least similar of those found, or the mean of a small space (0), to the best, which
 * counts less the nearer that one is to it: where nothing stands out, likeness says little. `isFound`: words found some.
 */
export async function findAlike(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  { limit, isFound }: { limit: number; isFound: boolean },
): Promise<Meaning> {
  const { query } = question
  if (!ctx.config.hasWordVectors || !question.byMeaning) return nothing
  if (!question.isEnglish && !isTranslated(query)) return nothing
  const asked = toTextVector(query, 'asked')
  const vectors = asked === undefined ? undefined : await readSpaceVectors(ctx, space)
  if (asked === undefined || vectors === undefined) return nothing
  const { nearest, mean } = vectors.nearest(asked, limit)
  const best = nearest[0]?.similarity ?? 0
  const least = Math.max(mean, nearest.at(-1)?.similarity ?? 0)
  if (best <= Math.max(least, unlikeMax)) return nothing
  const min = isFound ? similarityMin.beside : similarityMin.alone
  const most = digit.test(query) ? weightBesideDigits : weight
  const likenessOf = (similarity: number) => Math.max(0, similarity - least) / (best - mean)
  return {
    scores: new Map(nearest.map(({ passageId, similarity }) => [passageId, most * likenessOf(similarity)])),
    alike: nearest
      .slice(0, limit * joiningShare)
      .filter(({ similarity }) => similarity >= min)
      .map(({ passageId }) => passageId),
    isBuiltIn: true,
    texts: vectors,
    ofExact: most * likenessOf(best),
  }
}
