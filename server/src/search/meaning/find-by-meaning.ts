import { outsideSlot } from '../../ground/lib/call-queue.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { Nearest } from '../store/vectors.ts'
import { vectorsOf } from '../store/vectors-of.ts'
import { findEmbedder, findProgress } from './embeddings.repo.ts'

/** Similarity of meaning to a question, by passage id: 1 for the most similar, 0 for an arbitrary passage. */
export type Meaning = ReadonlyMap<number, number>

const nothing: Meaning = new Map()

/** The vector of a question, if there is an embedder and it responds in time. Never throws. */
export async function askMeaning(ctx: Context, question: string): Promise<Float32Array | undefined> {
  const queries = ctx.embeddings.current?.queries
  if (question === '' || queries === undefined) return undefined
  return outsideSlot(() => queries.find(question))
}

/** The passages of a space most similar to a question, among those that have vectors. */
export async function findByMeaning(
  ctx: Context,
  scope: Scope,
  vector: Float32Array | undefined,
  limit: number,
): Promise<Meaning> {
  const identity = ctx.embeddings.current?.embedder.identity
  if (vector === undefined || identity === undefined) return nothing
  const known = await findEmbedder(ctx.db, identity)
  if (known?.dimensions !== vector.length) return nothing
  const progress = await findProgress(ctx.db, known.number, scope)
  if (progress === undefined || progress.embeddedTo === 0) return nothing
  const { accountId, spaceId } = scope
  const kept = { accountId, spaceId, embedder: known.number, isNative: known.isNative }
  const limits = { newest: progress.embeddedTo, limit }
  try {
    return toMeaning(await vectorsOf(ctx.dialect).findNearest(ctx.db, kept, vector, limits))
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
export function toMeaning(nearest: readonly Nearest[]): Meaning {
  const best = nearest[0]?.similarity ?? 0
  const least = nearest.at(-1)?.similarity ?? 0
  const range = best - least
  return new Map(
    nearest.map(({ passageId, similarity }) => [passageId, range > 0 ? (similarity - least) / range : 1]),
  )
}

/** The passages similar enough to be found without a word in common. */
export function alikeIn(meaning: Meaning): number[] {
  return [...meaning].filter(([, likeness]) => likeness >= alikeMin).map(([id]) => id)
}

const alikeMin = 0.5
