import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { EntityToIndex, ObservationToIndex } from './index-graph.ts'

/** At most `limit` rows with numbers above `after`, up to `upTo`. */
export type Page = { after: number; upTo: number; limit: number }

/** In ascending order of number. */
export async function listEntitiesToIndex(db: Db, scope: Scope, page: Page): Promise<EntityToIndex[]> {
  const rows = await db
    .selectFrom('entities')
    .select(['id', 'name', 'aliases', 'type', 'metadata'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '>', page.after)
    .where('id', '<=', page.upTo)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({
    ...row,
    aliases: row.aliases === null ? undefined : JSON.parse(row.aliases),
    metadata: JSON.parse(row.metadata),
  }))
}

/** In ascending order of number. */
export async function listObservationsToIndex(
  db: Db,
  scope: Scope,
  page: Page,
): Promise<ObservationToIndex[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['id', 'content', 'metadata'])
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '>', page.after)
    .where('id', '<=', page.upTo)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({
    ...row,
    metadata: row.metadata === null ? undefined : JSON.parse(row.metadata),
  }))
}

/** Spaces whose index an older analyser made, at most `limit`. */
export async function listOutdatedSpaces(db: Db, version: number, limit: number): Promise<Scope[]> {
  return db
    .selectFrom('spaces')
    .select(['account_id as accountId', 'space_id as spaceId'])
    .where('index_version', '<', version)
    .where('deleted_at', 'is', null)
    .limit(limit)
    .execute()
}
