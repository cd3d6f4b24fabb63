import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../ground/config/config.ts'
import { closeFile, ensureDataDir } from '../ground/data-dir.ts'
import { rootReason } from '../ground/lib/root-reason.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { createDb, setDialect } from './dialect-of.ts'
import { type PostgresOptions, postgresDialect } from './dialect-postgres.ts'
import { sqliteDialect } from './dialect-sqlite.ts'
import { makeRoomToOpen } from './disk-reserve.ts'
import { migrate, requireCurrent } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { observeTransactions } from './observe-transactions.ts'
import { processNameOf } from './older-processes.ts'
import { requireRestored } from './restore-part.ts'
import { isReadOnly, requireWholeFile, wasNotClosed } from './sqlite-file.ts'
import { guardTransactions } from './transact.ts'

export const databaseFileName = 'loci.db'

export type OpenDatabase = { db: Db; dialect: Dialect }

/**
 * Opens the configured database and migrates its schema, or refuses an outdated one if migrating is not allowed.
 * Throws {@link ConfigError} with a readable message if it cannot be opened.
 */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'embeddings'> & PostgresOptions,
  { mayMigrate = true, mayOnlyRead = false } = {},
): Promise<OpenDatabase> {
  const bare =
    config.databaseUrl === undefined
      ? await openFile(config, mayOnlyRead)
      : postgresDialect(config.databaseUrl, { ...config, processName: processNameOf(migrations) })
  const db = createDb(bare)
  const dialect = guardTransactions(db, observeTransactions(bare))
  setDialect(db, dialect)
  try {
    if (mayMigrate && !dialect.isReadOnly) await migrate(db)
    else await requireCurrent(db)
  } catch (cause) {
    await db.destroy()
    if (cause instanceof ConfigError) throw cause
    const advice = dialect.isDamaged(cause) ? '. The file is damaged: restore a backup.' : ''
    throw new ConfigError(`${placeOf(config)} cannot be used: ${rootReason(cause)}${advice}`, { cause })
  }
  return { db, dialect }
}

async function openFile(
  { dataDir, embeddings }: Pick<Config, 'dataDir' | 'embeddings'>,
  mayOnlyRead: boolean,
): Promise<Dialect> {
  const file = join(dataDir, databaseFileName)
  const withVectors = embeddings !== undefined
  if (mayOnlyRead && existsSync(file) && isReadOnly(file)) {
    requireReadable(file)
    await requireWholeFile(file)
    return sqliteDialect(file, { withVectors, readOnly: true })
  }
  ensureDataDir(dataDir)
  if (isReadOnly(file)) throw new ConfigError(`The data directory ${dataDir} is not writable`)
  for (const suffix of ['', '-wal', '-shm']) closeFile(file + suffix)
  requireRestored(dataDir)
  await requireWholeFile(file)
  makeRoomToOpen(file)
  return sqliteDialect(file, { withVectors })
}

/** The last commits are in the log, which SQLite reads only where it can write beside it. */
function requireReadable(file: string): void {
  if (!wasNotClosed(file) || existsSync(`${file}-shm`)) return
  throw new ConfigError(
    `${file} was not closed, so part of it is in ${file}-wal, and the directory is not writable. Copy both to a directory that is.`,
  )
}

function placeOf(config: Pick<Config, 'dataDir' | 'databaseUrl'>): string {
  return config.databaseUrl === undefined
    ? `The database in ${config.dataDir}`
    : 'The database at DATABASE_URL'
}
