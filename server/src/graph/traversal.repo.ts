import type { GraphRelation } from '@loci/contract/graph'
import { sql } from 'kysely'
import type { Scope } from '../auth/actor.ts'
import type { Db, Dialect } from '../db/dialect.ts'
import { toIso } from '../lib/time.ts'

/** An edge, seen from the entity that the traversal came from. */
export type Step = { from: string; to: string }

/** At most `limit` steps out of the entities, along relations in both directions. */
export async function listSteps(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly string[],
  limit: number,
): Promise<Step[]> {
  const along = (here: 'from_id' | 'to_id', there: 'from_id' | 'to_id') =>
    db
      .selectFrom('relations')
      .select([`${here} as from`, `${there} as to`])
      .where('account_id', '=', scope.accountId)
      .where('space_id', '=', scope.spaceId)
      .where(dialect.isOneOf(here, entityIds))
      .limit(limit)
      .execute()
  return [...(await along('from_id', 'to_id')), ...(await along('to_id', 'from_id'))]
}

/** Relations whose two ends are among the entities, at most `limit`. */
export async function listRelationsAmong(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly string[],
  limit: number,
): Promise<GraphRelation[]> {
  if (entityIds.length === 0) return []
  // The empty text keeps the second list out of the index look-up: one look-up a source, not one a pair.
  const among = dialect.isOneOf(sql`to_id || ''`, entityIds)
  const rows = await db
    .selectFrom('relations')
    .select(['id', 'from_id', 'to_id', 'type', 'created_at'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('from_id', entityIds))
    .where(among)
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    fromEntityId: row.from_id,
    toEntityId: row.to_id,
    relationType: row.type,
    createdAt: toIso(row.created_at),
  }))
}
