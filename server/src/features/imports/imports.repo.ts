import type { ImportFormat } from '@loci/contract/imports'
import type { Scope } from '../../auth/actor.ts'
import type { Db } from '../../db/db.ts'
import type { ImportsTable } from '../../db/schema.ts'
import type { Progress } from './import-progress.ts'

/** An import as it is kept; times in milliseconds. */
export type StoredImport = {
  id: string
  digest: string
  format: ImportFormat
  bytes: number
  runner: string
  progress: Progress
  createdAt: number
  updatedAt: number
}

const inScope = (db: Db, scope: Scope) =>
  db
    .selectFrom('imports')
    .selectAll()
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)

export async function findImport(db: Db, scope: Scope, id: string): Promise<StoredImport | undefined> {
  const row = await inScope(db, scope).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toImport(row)
}

export async function findImportByDigest(
  db: Db,
  scope: Scope,
  digest: string,
): Promise<StoredImport | undefined> {
  const row = await inScope(db, scope).where('digest', '=', digest).executeTakeFirst()
  return row === undefined ? undefined : toImport(row)
}

export async function insertImport(db: Db, scope: Scope, stored: StoredImport): Promise<void> {
  await db
    .insertInto('imports')
    .values({
      account_id: scope.accountId,
      space_id: scope.spaceId,
      id: stored.id,
      digest: stored.digest,
      format: stored.format,
      bytes: stored.bytes,
      runner: stored.runner,
      progress: JSON.stringify(stored.progress),
      created_at: stored.createdAt,
      updated_at: stored.updatedAt,
    })
    .execute()
}

/** Makes the runner of `own` the only one that may go on with this import. */
export async function claimImport(db: Db, scope: Scope, own: StoredImport): Promise<void> {
  await db
    .updateTable('imports')
    .set({ runner: own.runner, progress: JSON.stringify(own.progress), updated_at: own.updatedAt })
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '=', own.id)
    .execute()
}

/** Keeps how far a runner came; answers false when the import is not its own any more. */
export async function updateImportProgress(
  db: Db,
  scope: Scope,
  own: { id: string; runner: string },
  progress: Progress,
  at: number,
): Promise<boolean> {
  const result = await db
    .updateTable('imports')
    .set({ progress: JSON.stringify(progress), updated_at: at })
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '=', own.id)
    .where('runner', '=', own.runner)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function toImport(row: ImportsTable): StoredImport {
  return {
    id: row.id,
    digest: row.digest,
    format: row.format as ImportFormat,
    bytes: row.bytes,
    runner: row.runner,
    progress: JSON.parse(row.progress),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
