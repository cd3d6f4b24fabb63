import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ConfigError } from '../ground/config/config.ts'
import { secondMs } from '../ground/lib/time.ts'
import { appliedMigrations, isUpToDate, listUnfinished } from './applied-migrations.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { dialectOf } from './dialect-of.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations/index.ts'
import { requireNoOlder } from './older-processes.ts'

/** Calls of other processes wait behind a migration that waits for a table, so it does not wait longer at a time. */
const tableWaitMs = 3 * secondMs
const attemptsMax = 60

/**
 * Applies missing migrations, under a lock: statements in one transaction, then the slices of each migration that has some.
 * A file is copied first. Throws {@link ConfigError} if the database was written by a newer program or before the first
 * release, does not store text as UTF-8, or is served by an older program that could not serve on.
 */
export async function migrate(db: Db, known: readonly Migration[] = migrations): Promise<string[]> {
  const dialect = dialectOf(db)
  const found = await appliedMigrations(db)
  if (isUpToDate(found, known)) return []
  if (found.length === 0) await requireUtf8(db)
  const next = known.find(({ name }) => !found.some((one) => one.name === name))
  if (found.length > 0 && next !== undefined) await keepBefore(dialect, next.name)
  const done: string[] = []
  for (let more = true; more; ) {
    await finishSlices(db, known)
    const applied = await applyStatements(db, known)
    done.push(...applied)
    more = applied.length > 0
  }
  return done
}

/** The statements of the missing migrations, up to the first one with slices, which those after it may rely on. */
function applyStatements(db: Db, known: readonly Migration[]): Promise<string[]> {
  return locked(db, async (tx) => {
    const dialect = dialectOf(db)
    await sql.raw(createMigrations(dialect)).execute(tx)
    const applied = await appliedMigrations(tx)
    if (isUpToDate(applied, known) || listUnfinished(applied, known).length > 0) return []
    const missing = known.filter(({ name }) => !applied.some((one) => one.name === name))
    const end = missing.findIndex(({ slices }) => slices !== undefined)
    const group = end === -1 ? missing : missing.slice(0, end + 1)
    await requireNoOlder(tx, group)
    for (const migration of group) {
      for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(tx)
      await recordApplied(tx, migration)
    }
    await dialect.afterMigration(tx)
    return group.map(({ name }) => name)
  })
}

/** Creates the table of those that were applied. */
export const createMigrations = ({ sql: { integer, text, strict } }: Dialect): string =>
  `create table if not exists migrations (
    name ${text} primary key, applied_at ${integer} not null, serves_older ${integer} not null default 0,
    is_finished ${integer} not null default 1
  )${strict}`

async function recordApplied(tx: Db, { name, slices, endsOlder }: Migration): Promise<void> {
  const servesOlder = Number(endsOlder === undefined)
  const isFinished = Number(slices === undefined)
  await sql`insert into migrations (name, applied_at, serves_older, is_finished)
    values (${name}, ${Date.now()}, ${servesOlder}, ${isFinished})`.execute(tx)
}

/** Also those that a process began which ended before they were done. */
async function finishSlices(db: Db, known: readonly Migration[]): Promise<void> {
  const dialect = dialectOf(db)
  for (const { name, slices } of listUnfinished(await appliedMigrations(db), known)) {
    for (const slice of slices?.(dialect) ?? [])
      for (let changed = 1n; changed > 0n; )
        changed = await locked(db, async (tx) => (await sql.raw(slice).execute(tx)).numAffectedRows ?? 0n)
    await sql`update migrations set is_finished = 1 where name = ${name}`.execute(db)
  }
}

/** One process at a time; begun again while somebody else uses a table for long. */
async function locked<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const dialect = dialectOf(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await dialect.transaction(db, async (tx) => {
        await dialect.lockMigrations(tx, tableWaitMs)
        return work(tx)
      })
    } catch (error) {
      if (!dialect.isTooSlow(error) || attempt === attemptsMax) throw error
      await sleep(Math.random() * tableWaitMs)
    }
  }
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

/** Throws {@link ConfigError} unless this program can work on the schema as it is. */
export async function requireCurrent(db: Db): Promise<void> {
  const applied = await appliedMigrations(db)
  if (isUpToDate(applied, migrations)) return
  if (applied.length === 0)
    throw new ConfigError('The database is empty. Start a server on it first, then try again.')
  throw new ConfigError(
    'The server that runs on this database is of an older version. Restart it, then try again.',
  )
}
