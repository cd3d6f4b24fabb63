import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { ConfigError, readConfig } from '../config.ts'
import { databaseFileName } from '../db/open.ts'

/** Copies the database file page by page while others write (https://www.sqlite.org/backup.html). */
export async function backupTo(path: string): Promise<void> {
  const config = readConfig()
  if (config.databaseUrl !== undefined) {
    throw new ConfigError('This database is PostgreSQL: use pg_dump. `loci backup` copies the SQLite file.')
  }
  const source = join(config.dataDir, databaseFileName)
  if (!existsSync(source)) throw new ConfigError(`There is no database in ${config.dataDir}.`)
  if (existsSync(path)) throw new ConfigError(`${path} is there already.`)
  await copy(source, path)
  process.stdout.write(
    `Copied to ${path}\nKeep the secret of ${config.dataDir} (or LOCI_SECRET) with it: personal API keys cannot be shown without.\n`,
  )
}

async function copy(source: string, path: string): Promise<void> {
  const part = `${path}.part`
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5_000 })
  try {
    await backup(database, part, { rate: 1_000 })
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true })
    throw new ConfigError(`The copy failed: ${(cause as Error).message}`, { cause })
  } finally {
    database.close()
  }
}
