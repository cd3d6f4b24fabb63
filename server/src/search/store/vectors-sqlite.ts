import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { toBytes } from '../../ground/lib/vectors.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import {
  compareHere,
  type IdRange,
  type Nearest,
  rangesBelow,
  takeBest,
  type VectorScope,
  type Vectors,
} from './vectors.ts'

/**
 * One byte per dimension in a plain table. The extension is used for arithmetic only: a process that has not loaded
 * it could not write the extension's own tables, or delete rows there with their passages.
 */
export const sqliteVectors: Vectors = {
  prepare: async () => false,
  async store(db, scope, vectors) {
    for (const { passageId, vector } of vectors) {
      await sql`insert into vectors (account_id, space_id, passage_id, embedder, vector)
        select account_id, space_id, ${passageId}, ${scope.embedder}, ${toBytes(vector)} from observations
        where account_id = ${scope.accountId} and space_id = ${scope.spaceId} and id = coalesce((
          select observation_id from passages
          where account_id = ${scope.accountId} and space_id = ${scope.spaceId} and id = ${passageId}
        ), ${passageId})
        on conflict do update set vector = excluded.vector`.execute(db)
    }
  },
  async findNearest(db, scope, vector, { newest, limit }) {
    const ranges = rangesBelow(db, scope, newest)
    if (!(await hasExtension(db)))
      return compareHere(ranges, vector, limit, (range) => read(db, scope, range))
    let best: Nearest[] = []
    for await (const range of ranges) {
      best = takeBest(best, await compute(db, scope, range, vector, limit), limit)
      await breathe()
    }
    return best
  },
}

const extended = new WeakMap<Dialect, Promise<boolean>>()

/** Whether the connections of this database have loaded the extension. */
function hasExtension(db: Db): Promise<boolean> {
  const dialect = dialectOf(db)
  const known =
    extended.get(dialect) ??
    sql`select vec_version()`.execute(db).then(
      () => true,
      () => false,
    )
  extended.set(dialect, known)
  return known
}

const inRange = (scope: VectorScope, { above, upTo }: IdRange) =>
  sql`account_id = ${scope.accountId} and space_id = ${scope.spaceId} and embedder = ${scope.embedder}
    and passage_id > ${above} and passage_id <= ${upTo}`

async function read(db: Db, scope: VectorScope, range: IdRange) {
  const { rows } = await sql<{ passageId: number; vector: Uint8Array }>`
    select passage_id as "passageId", vector from vectors where ${inRange(scope, range)}`.execute(db)
  return rows
}

async function compute(db: Db, scope: VectorScope, range: IdRange, vector: Float32Array, limit: number) {
  const { rows } = await sql<Nearest>`
    select passage_id as "passageId", 1 - vec_distance_cosine(vec_int8(vector), vec_int8(${toBytes(vector)})) as similarity
    from vectors where ${inRange(scope, range)} and length(vector) = ${vector.length}
    order by similarity desc limit ${limit}`.execute(db)
  return rows
}
