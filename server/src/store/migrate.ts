import { sql } from 'kysely'
import { ConfigError } from '../ground/config/config.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { dialectOf } from './dialect-of.ts'
import { migrations } from './migrations/index.ts'

/** The first migration of the pre-release schema, from which no migration leads on. */
const formerLayout = '001-graph'

/**
 * Applies missing migrations, under a lock and in one transaction. A file is copied first. Throws {@link ConfigError}
 * if the database was written by a newer program or before the first release, or does not store text as UTF-8.
 */
export async function migrate(db: Db): Promise<string[]> {
  const dialect = dialectOf(db)
  const found = await appliedMigrations(db)
  if (isCurrent(found)) return []
  if (found.length === 0) await requireUtf8(db)
  if (found.length > 0) await keepBefore(dialect, migrations[found.length]!.name)
  return dialect.transaction(db, async (tx) => {
    await dialect.lockMigrations(tx)
    const { integer, text, strict } = dialect.sql
    await sql
      .raw(
        `create table if not exists migrations (name ${text} primary key, applied_at ${integer} not null)${strict}`,
      )
      .execute(tx)
    const applied = await appliedMigrations(tx)
    if (isCurrent(applied)) return []
    const missing = migrations.filter((migration) => !applied.includes(migration.name))
    for (const migration of missing) {
      for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(tx)
      await sql`insert into migrations (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(
        tx,
      )
    }
    await dialect.afterMigration(tx)
    return missing.map((migration) => migration.name)
  })
}

/** In other encodings, PostgreSQL counts, cuts and folds text differently, or cannot store all of it. */
async function requireUtf8(db: Db): Promise<void> {
  const encoding = await dialectOf(db).encodingOf(db)
  if (encoding === 'UTF8') return
  throw new ConfigError(
    `The database has the encoding ${encoding}; Loci needs UTF8. Create one with: ` +
      "create database loci encoding 'UTF8' template template0",
  )
}

async function keepBefore(dialect: Dialect, next: string): Promise<void> {
  try {
    await dialect.keepBefore(next)
  } catch (cause) {
    throw new ConfigError(
      `The copy that is kept of the database before it is migrated could not be made: ${(cause as Error).message}. Nothing was changed.`,
      { cause },
    )
  }
}

/** Throws {@link ConfigError} unless this program knows the schema. */
export async function requireCurrent(db: Db): Promise<void> {
  if (isCurrent(await appliedMigrations(db))) return
  throw new ConfigError(
    'The server that runs on this database is of an older version. Restart it, then try again.',
  )
}

function isCurrent(applied: string[]): boolean {
  if (applied.includes(formerLayout)) {
    throw new ConfigError(
      'The database was made before the first release of Loci, in a layout that this version does not read. ' +
        'Export it with the version that made it (loci export FILE), start this version on an empty database, ' +
        'then import the file (loci import FILE).',
    )
  }
  const known = migrations.map((migration) => migration.name)
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new ConfigError(
      `The database was made by a newer version of Loci (it has ${unknown.join(', ')}). Update the program, then start again.`,
    )
  }
  return applied.length === known.length
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const exists =
    dialectOf(db).name === 'sqlite'
      ? sql`select name from sqlite_master where type = 'table' and name = 'migrations'`
      : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = 'migrations'`
  if ((await exists.execute(db)).rows.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map((row) => row.name)
}
