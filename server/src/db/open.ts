import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { requireRestored } from '../backups/restore-part.ts'
import { type Config, ConfigError } from '../config.ts'
import { closeFile, ensureDataDir } from '../data-dir.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { createDb, setDialect } from './dialect-of.ts'
import { type PostgresOptions, postgresDialect } from './dialect-postgres.ts'
import { sqliteDialect } from './dialect-sqlite.ts'
import { makeRoomToOpen } from './disk-reserve.ts'
import { migrate, requireCurrent } from './migrate.ts'
import { observeTransactions } from './observe-transactions.ts'
import { requireWholeFile } from './sqlite-file.ts'
import { guardTransactions } from './transaction-guard.ts'

export const databaseFileName = 'loci.db'

export type OpenDatabase = { db: Db; dialect: Dialect }

/**
 * Opens the configured database and migrates its schema, or refuses an outdated one if migrating is not allowed.
 * Throws {@link ConfigError} with a readable message if it cannot be opened.
 */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'embeddings'> & PostgresOptions,
  mayMigrate = true,
): Promise<OpenDatabase> {
  const bare =
    config.databaseUrl === undefined ? await openFile(config) : postgresDialect(config.databaseUrl, config)
  const db = createDb(bare)
  const dialect = guardTransactions(db, observeTransactions(bare))
  setDialect(db, dialect)
  try {
    if (mayMigrate) await migrate(db)
    else await requireCurrent(db)
  } catch (cause) {
    await db.destroy()
    if (cause instanceof ConfigError) throw cause
    const advice = dialect.isDamaged(cause) ? '. The file is damaged: restore a backup.' : ''
    throw new ConfigError(`${placeOf(config)} cannot be used: ${reasonOf(cause)}${advice}`, { cause })
  }
  return { db, dialect }
}

async function openFile({ dataDir, embeddings }: Pick<Config, 'dataDir' | 'embeddings'>): Promise<Dialect> {
  ensureDataDir(dataDir)
  const file = join(dataDir, databaseFileName)
  try {
    accessSync(dataDir, constants.W_OK)
    if (existsSync(file)) accessSync(file, constants.W_OK)
  } catch (cause) {
    throw new ConfigError(`The data directory ${dataDir} is not writable`, { cause })
  }
  for (const suffix of ['', '-wal', '-shm']) closeFile(file + suffix)
  requireRestored(dataDir)
  await requireWholeFile(file)
  makeRoomToOpen(file)
  return sqliteDialect(file, { withVectors: embeddings !== undefined })
}

function placeOf(config: Pick<Config, 'dataDir' | 'databaseUrl'>): string {
  return config.databaseUrl === undefined
    ? `The database in ${config.dataDir}`
    : 'The database at DATABASE_URL'
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // pg wraps several failed addresses into one AggregateError without a message.
  return cause.message === '' && cause instanceof AggregateError ? reasonOf(cause.errors[0]) : cause.message
}
