import type { Embeddings } from '../../ground/embedders/embeddings.ts'
import { outsideSlot } from '../../ground/lib/call-queue.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { Nearest } from '../store/vectors.ts'
import { vectorsOf } from '../store/vectors-of.ts'
import { findEmbedder, findProgress } from './embeddings.repo.ts'
import type { SpaceVectors } from './space-vectors.ts'

/** Similarity of meaning to a question. */
export type Meaning = {
  /** By passage id, relative to a text score of at most 1. */
  scores: ReadonlyMap<number, number>
  /** The same of the passages of entities asked about, compared with each other, if built in. */
  ownScores?: ReadonlyMap<number, number>
  /** The passages similar enough to be found without a word in common. */
  alike: readonly number[]
  /** By the word vectors that come with the program, which know less than a model. */
  isBuiltIn: boolean
  /** The known words of texts, if they are built in. */
  texts?: Pick<SpaceVectors, 'wordsOf' | 'wordsOfName'>
  /** By how much of 1, the same meaning, the best passage is more alike than the best of the entities asked about. */
  lead?: number
  /** The least score of a passage with all words of the question, which no likeness should overturn. */
  ofExact: number
}

const nothing: Meaning = { scores: new Map(), alike: [], isBuiltIn: false, ofExact: 0 }

/** The vector of a question, if the embedder responds in time. Never throws. */
export async function askMeaning(
  { queries }: Embeddings,
  question: string,
): Promise<Float32Array | undefined> {
  return question === '' ? undefined : outsideSlot(() => queries.find(question))
}

/** The passages of a space most similar to a question, among those that have vectors. */
export async function findByMeaning(
  ctx: Context,
  scope: Scope,
  vector: Float32Array | undefined,
  limit: number,
): Promise<Meaning> {
  const current = ctx.embeddings.current
  if (vector === undefined || current === undefined) return nothing
  const known = await findEmbedder(ctx.db, current.embedder.identity)
  if (known?.dimensions !== vector.length) return nothing
  const progress = await findProgress(ctx.db, known.number, scope)
  if (progress === undefined || progress.embeddedTo === 0) return nothing
  const { accountId, spaceId } = scope
  const kept = { accountId, spaceId, embedder: known.number, isNative: known.isNative }
  const limits = { newest: progress.embeddedTo, limit }
  try {
    return toMeaning(await vectorsOf(ctx.dialect).findNearest(ctx.db, kept, vector, limits), current.weight)
  } catch (error) {
    // For example, pgvector was removed: the results by words are still useful.
    ctx.log.warn({ err: error }, 'vectors cannot be searched')
    return nothing
  }
}

/**
 * Scales similarities from the least similar found to the most similar. Models have different ranges: two unrelated
 * sentences have 0.1 with one and 0.75 with another.
 */
export function toMeaning(nearest: readonly Nearest[], weight: number): Meaning {
  const best = nearest[0]?.similarity ?? 0
  const least = nearest.at(-1)?.similarity ?? 0
  const range = best - least
  const likenessOf = (similarity: number) => (range > 0 ? (similarity - least) / range : 1)
  return {
    scores: new Map(nearest.map(({ passageId, similarity }) => [passageId, weight * likenessOf(similarity)])),
    alike: nearest
      .filter(({ similarity }) => likenessOf(similarity) >= alikeMin)
      .map(({ passageId }) => passageId),
    isBuiltIn: false,
    ofExact: 0,
  }
}

const alikeMin = 0.5
