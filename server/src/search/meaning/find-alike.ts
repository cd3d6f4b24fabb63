import type { Context } from '../../tenancy/context.ts'
import type { Question } from '../ask/question.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import type { Meaning } from './find-by-meaning.ts'
import type { Alike } from './space-vectors.ts'
import { readSpaceVectors } from './vectors-in-memory.ts'
import { isUnderstood, toTextVector } from './word-vectors.ts'

/** Score of the passage most like the question. */
const weight = 0.3
/** The same if the question has a digit: numbers have no meaning here. */
const weightBesideDigits = 0.15
const digit = /\d/
/** How similar a passage must be to be found without a word in common, beside others found by words, and alone. */
const similarityMin = { beside: 0.15, alone: 0.25 }
/** Up to this, a passage is no more like the question than any other, also if it is the most like it of a few. */
const unlikeMax = 0.05
/** The best counts less if it is nearer than this to the mean, in all and among the facts of who is asked about. */
const spreadMin = { inAll: 0.15, inOwn: 0.25 }
/** The part of the passages compared that may join so: each is read and ranked. */
const joiningShare = 0.15

const nothing: Meaning = { scores: new Map(), alike: [], isBuiltIn: true, ofExact: 0 }

/**
 * The passages whose words mean something like those of an English question, by word vectors that come with the
 * program. The scale runs from the least similar of those found, or the mean of a small space (0), to the best, which
 * counts less the nearer that one is to it: where nothing stands out, likeness says little. Those of `ownOf`, entities,
 * also have a scale of their own. `isFound`: words found some.
 */
export async function findAlike(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  { limit, isFound, ownOf }: { limit: number; isFound: boolean; ownOf: ReadonlySet<number> },
): Promise<Meaning> {
  const { query } = question
  if (!ctx.config.hasWordVectors || !question.byMeaning) return nothing
  const mayBeEnglish = question.mayBeEnglish && question.words.length > 1
  if (!question.isEnglish && !isUnderstood(query, mayBeEnglish)) return nothing
  const asked = toTextVector(query, 'asked')
  const vectors = asked === undefined ? undefined : await readSpaceVectors(ctx, space)
  if (asked === undefined || vectors === undefined) return nothing
  const { nearest, mean, own } = vectors.nearest(asked, limit, ownOf)
  const [best, ownBest] = [nearest, own].map(([first]) => first?.similarity ?? 0) as [number, number]
  const least = Math.max(mean, nearest.at(-1)?.similarity ?? 0)
  if (Math.max(best - least, ownBest) <= 0 || best <= unlikeMax) return nothing
  const min = isFound ? similarityMin.beside : similarityMin.alone
  const most = digit.test(query) ? weightBesideDigits : weight
  const likenessOf = (similarity: number) =>
    Math.max(0, similarity - least) / Math.max(spreadMin.inAll, best - mean)
  const ownLikenessOf = toOwnScale(own)
  const toScores = (some: readonly Alike[], scale: (similarity: number) => number) =>
    new Map(some.map(({ passageId, similarity }) => [passageId, most * scale(similarity)]))
  return {
    scores: toScores(nearest, likenessOf),
    ownScores: toScores(own, ownLikenessOf),
    alike: nearest
      .slice(0, limit * joiningShare)
      .filter(({ similarity }) => similarity >= min)
      .map(({ passageId }) => passageId),
    isBuiltIn: true,
    lead: best - ownBest,
    texts: vectors,
    ofExact: most * Math.max(likenessOf(best), ownLikenessOf(ownBest)),
  }
}

/** From the mean of some passages (0) to the best. */
function toOwnScale(own: readonly Alike[]): (similarity: number) => number {
  const mean = own.reduce((sum, { similarity }) => sum + similarity, 0) / (own.length || 1)
  const spread = Math.max(spreadMin.inOwn, (own[0]?.similarity ?? 0) - mean)
  return (similarity) => Math.max(0, similarity - mean) / spread
}
