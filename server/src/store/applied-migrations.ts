import { sql } from 'kysely'
import { ConfigError } from '../ground/config/config.ts'
import type { Db } from './db.ts'
import { dialectOf } from './dialect-of.ts'
import type { Migration } from './migration.ts'

export type AppliedMigration = { name: string; serves_older: number; is_finished: number }

/** The first migration there is; from earlier ones, of before the first release, none leads on. */
const first = '101'

export async function appliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const exists =
    dialectOf(db).name === 'sqlite'
      ? sql`select name from sqlite_master where type = 'table' and name = 'migrations'`
      : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = 'migrations'`
  if ((await exists.execute(db)).rows.length === 0) return []
  const { rows } = await sql<AppliedMigration>`select * from migrations order by name`.execute(db)
  return rows
}

/**
 * Whether nothing is left to do. Throws {@link ConfigError} if this program cannot use the database: it was written before
 * the first release, or by a newer program beside which this one cannot serve.
 */
export function isUpToDate(applied: readonly AppliedMigration[], known: readonly Migration[]): boolean {
  if (applied.some(({ name }) => name < first)) {
    throw new ConfigError(
      'The database was made before the first release of Loci, in a layout that this version does not read. ' +
        'Export it with the version that made it (loci export FILE), start this version on an empty database, ' +
        'then import the file (loci import FILE).',
    )
  }
  const unknown = applied.filter(({ name }) => !known.some((one) => one.name === name))
  const tooNew = unknown.filter((one) => one.serves_older !== 1).map(({ name }) => name)
  if (tooNew.length > 0) {
    throw new ConfigError(
      `The database was made by a newer version of Loci (it has ${tooNew.join(', ')}). Update the program, then start again.`,
    )
  }
  return applied.length - unknown.length === known.length && listUnfinished(applied, known).length === 0
}

export const listUnfinished = (
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): Migration[] =>
  known.filter(({ name }) => applied.some((one) => one.name === name && one.is_finished === 0))
