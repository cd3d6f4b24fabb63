import type { Db } from '../../store/db.ts'
import { prepared } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { EntityToIndex, ObservationToIndex } from './index-graph.ts'

/** At most `limit` rows with numbers above `after`, up to `upTo`. */
export type Page = { after: number; upTo: number; limit: number }

/** In ascending order of number. */
export async function listEntitiesToIndex(db: Db, scope: Scope, page: Page): Promise<EntityToIndex[]> {
  const rows = await selectEntities(db, { ...scope, ...page })
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
  const rows = await selectObservations(db, { ...scope, ...page })
  return rows.map((row) => ({
    ...row,
    metadata: row.metadata === null ? undefined : JSON.parse(row.metadata),
  }))
}

const selectEntities = prepared((db: Db, { accountId, spaceId, after, upTo, limit }: Scope & Page) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'aliases', 'type', 'metadata'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit),
)

const selectObservations = prepared((db: Db, { accountId, spaceId, after, upTo, limit }: Scope & Page) =>
  db
    .selectFrom('observations')
    .select(['id', 'content', 'metadata'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit),
)

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
