import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import {
  type IndexDelta,
  type IndexedBefore,
  type IndexedSpace,
  indexVersion,
  toUnindexed,
} from './search-index.repo.ts'
import { turnScopeOf } from './turn-scope.ts'

const selectIndex = prepared((db: Db, scope: Scope) =>
  db
    .selectFrom('turn_indexes')
    .select(['indexed', 'passages', 'length', 'index_version as version'])
    .where(isIn(scope)),
)

/** The index of a space's turns, under its own scope; undefined if no turn was ever stored. */
export async function findTurnIndex(
  db: Db,
  { accountId, spaceId }: Scope,
): Promise<IndexedSpace | undefined> {
  const [row] = await selectIndex(db, { accountId, spaceId })
  if (row === undefined || row.indexed === 0) return undefined
  const { indexed, ...counts } = row
  const index = turnScopeOf({ accountId, spaceId })
  return {
    ...index,
    ...counts,
    nextOrdinal: indexed + 1,
    hasFurther: true,
    seq: 0,
    entities: 0,
    relations: 0,
  }
}

const upsertIndex = prepared(
  (db: Db, { accountId, spaceId, indexed, passages, length }: Scope & IndexDelta) =>
    statement<{ indexed: number; renewedTo: number | null; renewingTo: number | null }>(
      db,
      sql`insert into turn_indexes (account_id, space_id, indexed, passages, length, index_version)
      values (${accountId}, ${spaceId}, ${indexed}, ${passages}, ${length}, ${indexVersion})
      on conflict (account_id, space_id) do update set indexed = turn_indexes.indexed + ${indexed},
        passages = turn_indexes.passages + ${passages}, length = turn_indexes.length + ${length}
      returning indexed, renewed_to as "renewedTo", renewing_to as "renewingTo"`,
    ),
)

/** Must hold the account's lock, like every write. */
export async function addToTurnIndex(
  db: Db,
  { accountId, spaceId }: Scope,
  delta: IndexDelta,
): Promise<IndexedBefore> {
  const [row] = await upsertIndex(db, { accountId, spaceId, ...delta })
  const { indexed, renewedTo, renewingTo } = row!
  return {
    firstOrdinal: indexed - delta.indexed + 1,
    embeddedTo: 0,
    unindexed: toUnindexed(renewedTo, renewingTo),
  }
}

/** Marks every turn up to the number `upTo` as not indexed: the first step of a rebuild. */
export const beginTurnRenewal = (db: Db, scope: Scope, upTo: number) =>
  update(db, scope, sql`passages = 0, length = 0, index_version = 0, renewed_to = 0, renewing_to = ${upTo}`)

export const continueTurnRenewal = (db: Db, scope: Scope, renewedTo: number) =>
  update(db, scope, sql`renewed_to = ${renewedTo}`)

/** Records the version of the analyser: the last step of a rebuild. */
export const endTurnRenewal = (db: Db, scope: Scope) =>
  update(db, scope, sql`index_version = ${indexVersion}, renewed_to = null, renewing_to = null`)

async function update(db: Db, { accountId, spaceId }: Scope, set: ReturnType<typeof sql>): Promise<void> {
  await sql`update turn_indexes set ${set} where account_id = ${accountId} and space_id = ${spaceId}`.execute(
    db,
  )
}

/** Spaces whose index of turns an older analyser made, at most `limit`. */
export async function listOutdatedTurnIndexes(db: Db, version: number, limit: number): Promise<Scope[]> {
  const { rows } = await sql<Scope>`select i.account_id as "accountId", i.space_id as "spaceId"
    from turn_indexes as i join spaces as s on s.account_id = i.account_id and s.space_id = i.space_id
    where i.index_version < ${version} and s.deleted_at is null limit ${limit}`.execute(db)
  return rows
}
