import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { mapPaced } from '../../ground/lib/pace.ts'
import {
  type StoredObservation,
  showEntity,
  showObservation,
  toRelation,
  toStoredObservation,
} from '../../rows/codec.ts'
import { rowColumns } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** `chosen` limits the export to these entities and the relations between them. */
type Page = { after: number; upTo: number; limit: number; chosen?: readonly number[] | undefined }

/** The largest number in a table of the graph now; 0 if it is empty. */
export async function findLastId(db: Db, scope: Scope, table: 'entities' | 'relations'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where(isIn(scope))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

/** The account's next number. */
export async function getNextNumber(db: Db, { accountId }: Scope): Promise<number> {
  const { next_id } = await db
    .selectFrom('accounts')
    .select('next_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return next_id
}

/** In order of insertion. */
export async function listExportedEntities(db: Db, scope: Scope, page: Page): Promise<Entity[]> {
  const rows = await db
    .selectFrom('entities')
    .select(rowColumns.entities)
    .where(isIn(scope))
    .where('id', '>', page.after)
    .where('id', '<=', page.upTo)
    .$if(page.chosen !== undefined, (query) =>
      query.where(dialectOf(db).isOneOfNumbers('id', page.chosen ?? [])),
    )
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return mapPaced(rows, showEntity)
}

const observations = (db: Db, scope: Scope) =>
  db.selectFrom('observations').select(rowColumns.observations).where(isIn(scope))

/** All observations of some entities, in order of insertion. */
export async function listExportedObservations(
  db: Db,
  scope: Scope,
  entityIds: readonly number[],
): Promise<StoredObservation[]> {
  if (entityIds.length === 0) return []
  const rows = await observations(db, scope)
    .where(dialectOf(db).isOneOfNumbers('entity_id', entityIds))
    .orderBy('entity_id')
    .orderBy('id')
    .execute()
  return mapPaced(rows, toStoredObservation)
}

/** Observations of one entity, in order of insertion. */
export async function listExportedObservationsOf(
  db: Db,
  scope: Scope,
  entityId: number,
  page: { after: number; limit: number },
): Promise<Observation[]> {
  const rows = await observations(db, scope)
    .where('entity_id', '=', entityId)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return mapPaced(rows, showObservation)
}

type RelationPage = Page & { fromId?: number }

/**
 * In order of insertion; with `fromId` only those that begin at this entity. Their ends are looked up apart: a planner
 * that knows nothing of the tables yet would compare all relations with all entities.
 */
export async function listExportedRelations(db: Db, scope: Scope, page: RelationPage): Promise<Relation[]> {
  const found: Relation[] = []
  for (let { after } = page; found.length < page.limit; ) {
    const limit = page.limit - found.length
    const rows = await selectRelations(db, scope, { ...page, after, limit })
    if (rows.length === 0) break
    const numbers = new Set(rows.flatMap(({ from_id, to_id }) => [from_id, to_id]))
    const ends = new Map((await selectEnds(db, scope, [...numbers])).map((one) => [one.id, one]))
    for (const row of rows) {
      const [from, to] = [ends.get(row.from_id), ends.get(row.to_id)]
      // An end that was deleted in between took the relation with it.
      if (from !== undefined && to !== undefined) found.push(toRelation(row, from, to))
    }
    if (rows.length < limit) break
    after = rows.at(-1)!.id
  }
  return found
}

/** Without their metadata, which can be 64 KiB each. */
const selectEnds = (db: Db, scope: Scope, numbers: readonly number[]) =>
  db
    .selectFrom('entities')
    .select(['id', 'name', 'type'])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('id', numbers))
    .execute()

const selectRelations = (db: Db, scope: Scope, { after, upTo, fromId, chosen, limit }: RelationPage) =>
  db
    .selectFrom('relations')
    .select(rowColumns.relations)
    .where(isIn(scope))
    .where('id', '>', after)
    .$if(fromId !== undefined, (query) => query.where('from_id', '=', fromId ?? 0))
    .where('id', '<=', upTo)
    .$if(chosen !== undefined, (query) =>
      query
        .where(dialectOf(db).isOneOfNumbers('from_id', chosen ?? []))
        .where(dialectOf(db).isOneOfNumbers('to_id', chosen ?? [])),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
