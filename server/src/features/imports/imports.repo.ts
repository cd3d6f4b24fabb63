import type { ImportFormat } from '@loci/contract/imports'
import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { type CamelRow, toCamelRow, toSnakeRow } from '../../store/row-names.ts'
import type { ImportsTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { NumberRange, Progress } from './import-progress.ts'

/** A stored import; times in milliseconds. */
export type StoredImport = Omit<CamelRow<ImportsTable>, 'accountId' | 'spaceId' | 'format' | 'progress'> & {
  format: ImportFormat
  progress: Progress
}

/** Half of the numbers that search has room for, so a file cannot use up the rest. */
const reservedNumberMax = 2 ** 31

const inScope = (db: Db, scope: Scope) => db.selectFrom('imports').selectAll().where(isIn(scope))

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
      ...{ account_id: scope.accountId, space_id: scope.spaceId },
      ...toSnakeRow(stored),
      progress: JSON.stringify(stored.progress),
    })
    .execute()
}

/** Makes `own` the only runner that can continue this import. */
export async function claimImport(db: Db, scope: Scope, own: StoredImport): Promise<void> {
  await db
    .updateTable('imports')
    .set({ runner: own.runner, progress: JSON.stringify(own.progress), updated_at: own.updatedAt })
    .where(isIn(scope))
    .where('id', '=', own.id)
    .execute()
}

/** Stores a runner's progress; returns false if another runner has taken over. */
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
    .where(isIn(scope))
    .where('id', '=', own.id)
    .where('runner', '=', own.runner)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The numbers that are already used in the graph. */
export async function listTakenNumbers(
  db: Db,
  { accountId, spaceId }: Scope,
  numbers: readonly number[],
): Promise<number[]> {
  const taken = (['entities', 'observations', 'relations'] as const).map(
    (table) =>
      sql`select id from ${sql.table(table)} where account_id = ${accountId} and space_id = ${spaceId}
        and ${dialectOf(db).isOneOfNumbers('id', numbers)}`,
  )
  const { rows } = await sql<{ id: number }>`${sql.join(taken, sql` union all `)}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Reserves numbers for the ids of a file: from the account's next one (from 1 in an account that has never stored
 * anything) up to, but not including, `end`, at most `max`. Returns undefined if the file can keep none of its ids.
 * Call it under the account's lock.
 */
export async function reserveNumbers(
  db: Db,
  { accountId }: Scope,
  { end, max }: { end: number; max: number },
): Promise<NumberRange | undefined> {
  const { next_id: next } = await db
    .selectFrom('accounts')
    .select('next_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const from = (await isUntouched(db, accountId)) ? 1 : next
  const range = { from, end: Math.min(end, from + max) }
  if (range.end <= from || range.end > reservedNumberMax) return undefined
  const free = Math.max(next, range.end)
  await db.updateTable('accounts').set({ next_id: free }).where('account_id', '=', accountId).execute()
  return range
}

/** Nothing was ever stored, and no file has reserved numbers. */
async function isUntouched(db: Db, accountId: number): Promise<boolean> {
  const { changes } = await db
    .selectFrom('spaces')
    .select((eb) => eb.fn.sum<number>('seq').as('changes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (Number(changes) > 0) return false
  const anImport = db.selectFrom('imports').select('id').where('account_id', '=', accountId).limit(1)
  return (await anImport.executeTakeFirst()) === undefined
}

function toImport({ account_id, space_id, ...row }: ImportsTable): StoredImport {
  return { ...toCamelRow(row), format: row.format as ImportFormat, progress: JSON.parse(row.progress) }
}
