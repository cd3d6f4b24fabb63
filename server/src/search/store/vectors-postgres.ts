import { sql } from 'kysely'
import { toBytes } from '../../ground/lib/vectors.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import { compareHere, type Nearest, rangesBelow, type VectorScope, type Vectors } from './vectors.ts'

const inScope = (scope: VectorScope) =>
  sql`account_id = ${scope.accountId} and space_id = ${scope.spaceId} and embedder = ${scope.embedder}`

const toText = (vector: Float32Array) => `[${vector.join(',')}]`

/**
 * Uses pgvector if the server has it, in a column added when it is found; otherwise one byte per dimension, compared
 * in this process. An index over all tenants would find the neighbours of others first, so a space is compared
 * exhaustively.
 */
export const postgresVectors: Vectors = {
  async prepare(db) {
    const { rows } = await sql`select 1 from pg_available_extensions where name = 'vector'`.execute(db)
    if (rows.length === 0) return false
    try {
      await sql`create extension if not exists vector`.execute(db)
      await sql`alter table vectors add column if not exists native vector`.execute(db)
      return true
    } catch {
      // Without permission to create it, proceed as if the server had none.
      return false
    }
  },
  async store(db, scope, vectors) {
    const { embedder, isNative } = scope
    const column = isNative ? sql`native` : sql`vector`
    const values = isNative
      ? sql`${vectors.map(({ vector }) => toText(vector))}::text[]`
      : sql`${vectors.map(({ vector }) => Buffer.from(toBytes(vector)))}::bytea[]`
    const value = isNative ? sql`given.value::vector` : sql`given.value`
    // The lock keeps the observations until the commit: a later change deletes these vectors.
    await sql`insert into vectors (account_id, space_id, passage_id, embedder, ${column})
      select o.account_id, o.space_id, given.id, ${embedder}::bigint, ${value}
      from unnest(${vectors.map(({ passageId }) => passageId)}::bigint[], ${values}) as given (id, value)
      cross join lateral (
        select coalesce((select observation_id from passages where ${isIn(scope)} and id = given.id), given.id) as id
      ) as embedded
      cross join lateral (
        select * from observations where ${isIn(scope)} and id = embedded.id offset 0 for share
      ) as o
      on conflict (account_id, space_id, passage_id, embedder) do update set ${column} = excluded.${column}`.execute(
      db,
    )
  },
  async findNearest(db, scope, vector, { newest, limit }) {
    if (!scope.isNative) {
      return compareHere(rangesBelow(db, scope, newest), vector, limit, async ({ above, upTo }) => {
        const { rows } = await sql<{ passageId: number; vector: Uint8Array }>`
          select passage_id as "passageId", vector from vectors
          where ${inScope(scope)} and passage_id > ${above} and passage_id <= ${upTo}`.execute(db)
        return rows
      })
    }
    const { rows } = await sql<Nearest>`
      select passage_id as "passageId", 1 - (native <=> ${toText(vector)}::vector) as similarity
      from vectors where ${inScope(scope)} and vector_dims(native) = ${vector.length}
      order by native <=> ${toText(vector)}::vector limit ${limit}`.execute(db)
    return rows
  },
}
