import { setImmediate as breathe } from 'node:timers/promises'
import { cosineTo } from '../../ground/lib/vectors.ts'
import type { Db } from '../../store/db.ts'
import { prepared } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** The vectors of a space's passages computed by one embedder. */
export type VectorScope = Scope & {
  /** Number of the embedder. */
  embedder: number
  /** Whether they are stored in the database's own vector type. */
  isNative: boolean
}

export type Nearest = { passageId: number; similarity: number }

/** Stores vectors and finds the nearest. Each database has its own implementation. */
export type Vectors = {
  /** Prepares the database's vector support; true if it stores vectors in a type of its own. */
  prepare: (db: Db) => Promise<boolean>
  /** Adds or replaces; passages deleted meanwhile are left out. Vectors have length 1. */
  store: (
    db: Db,
    scope: VectorScope,
    vectors: readonly { passageId: number; vector: Float32Array }[],
  ) => Promise<void>
  /**
   * The passages up to the id `newest` whose vectors are nearest to one of length 1, best first. Reads newest first;
   * if the database cannot compute distances, at most {@link comparedMax} vectors.
   */
  findNearest: (
    db: Db,
    scope: VectorScope,
    vector: Float32Array,
    limits: { newest: number; limit: number },
  ) => Promise<Nearest[]>
}

/** Vectors compared for one question in this process, which is slower than in the database. */
export const comparedMax = 30_000

export type IdRange = { above: number; upTo: number }

/** Vectors read by one statement: about 4 MB at 384 dimensions, a few milliseconds. */
const vectorsPerStatement = 4_096

type Position = VectorScope & { upTo: number; skipped: number }
const selectBound = prepared((db: Db, { accountId, spaceId, embedder, upTo, skipped }: Position) =>
  db
    .selectFrom('vectors')
    .select('passage_id as id')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('passage_id', '<=', upTo)
    .where('embedder', '=', embedder)
    .orderBy('passage_id', 'desc')
    .limit(1)
    .offset(skipped),
)

/**
 * Splits the ids up to `newest` into ranges with equally many vectors, newest first, so that no statement takes long.
 */
export async function* rangesBelow(
  db: Db,
  scope: VectorScope,
  newest: number,
): AsyncGenerator<IdRange, void> {
  for (let upTo = newest; upTo > 0; ) {
    const [next] = await selectBound(db, { ...scope, upTo, skipped: vectorsPerStatement })
    const above = next?.id ?? 0
    yield { above, upTo }
    upTo = above
  }
}

/** Compares vectors, reading range by range; other work can run between ranges. */
export async function compareHere(
  ranges: AsyncIterable<IdRange>,
  vector: Float32Array,
  limit: number,
  read: (range: IdRange) => Promise<readonly { passageId: number; vector: Uint8Array }[]>,
): Promise<Nearest[]> {
  let best: Nearest[] = []
  let compared = 0
  for await (const range of ranges) {
    const rows = await read(range)
    const least = best.length < limit ? Number.NEGATIVE_INFINITY : best.at(-1)!.similarity
    const found: Nearest[] = []
    for (const row of rows) {
      if (row.vector.byteLength !== vector.length) continue
      const similarity = cosineTo(row.vector, vector)
      if (similarity > least) found.push({ passageId: row.passageId, similarity })
    }
    best = takeBest(best, found, limit)
    compared += rows.length
    if (compared >= comparedMax) break
    await breathe()
  }
  return best
}

export function takeBest(best: readonly Nearest[], more: readonly Nearest[], limit: number): Nearest[] {
  return [...best, ...more]
    .sort((a, b) => b.similarity - a.similarity || b.passageId - a.passageId)
    .slice(0, limit)
}
