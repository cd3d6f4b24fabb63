import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Deletes the names that people gave to regions after these entities. */
export async function deleteRegionNames(db: Db, scope: Scope, entities: readonly number[]): Promise<void> {
  await db
    .deleteFrom('region_names')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('entity_id', entities))
    .execute()
}

/** The headings of the shared pages of a space, with the numbers of the entities that they show. */
export async function listShareTitles(
  db: Db,
  scope: Scope,
): Promise<{ id: string; title: string; entities: number[] }[]> {
  const rows = await db.selectFrom('shares').select(['id', 'title', 'entities']).where(isIn(scope)).execute()
  return rows.map(({ entities, ...row }) => ({ ...row, entities: JSON.parse(entities) }))
}

export async function setShareTitle(
  db: Db,
  scope: Scope,
  { id, title }: { id: string; title: string },
): Promise<void> {
  await db.updateTable('shares').set({ title }).where(isIn(scope)).where('id', '=', id).execute()
}

/** Empties the responses of webhook endpoints to events of a space: a receiver can send an event's text back. */
export async function forgetWebhookAnswers(db: Db, scope: Scope): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ answer: null })
    .where(isIn(scope))
    .where('answer', 'is not', null)
    .execute()
}

/** Deletes the names of types that nothing is of. */
export async function deleteUnusedTypes(db: Db, scope: Scope): Promise<void> {
  await db.deleteFrom('type_counts').where(isIn(scope)).where('count', '=', 0).execute()
}

/** The progress of a space's imports, which quotes problems. */
export async function listImportProgress(db: Db, scope: Scope): Promise<{ id: string; progress: string }[]> {
  return db.selectFrom('imports').select(['id', 'progress']).where(isIn(scope)).execute()
}

/** Replaces the progress of an import, unless it has gone on meanwhile. */
export async function setImportProgress(
  db: Db,
  { accountId, spaceId }: Scope,
  { id, before, after }: { id: string; before: string; after: string },
): Promise<void> {
  await sql`update imports set progress = ${after} where account_id = ${accountId} and space_id = ${spaceId}
    and id = ${id} and progress = ${before}`.execute(db)
}
