import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ConfigError, readConfig } from '../config.ts'
import { databaseFileName } from '../db/open.ts'

/** Copies the database file page by page while others write (https://www.sqlite.org/backup.html), and checks the copy. */
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
  await removePart(part)
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5_000 })
  try {
    // Made before it is filled, so that nobody else can read it. SQLite gives its journal the same mode.
    await writeFile(part, '', { mode: 0o600, flag: 'wx' })
    await backup(database, part, { rate: 1_000 })
    requireSound(part)
    await rename(part, path)
  } catch (cause) {
    await removePart(part)
    throw new ConfigError(`The copy failed: ${(cause as Error).message}`, { cause })
  } finally {
    database.close()
  }
}

/** What an earlier try that was killed left behind, or this one. */
async function removePart(part: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(part + suffix, { force: true })
}

/** Throws with what SQLite's own check finds. Leaves no log beside the file, as opening it otherwise would. */
function requireSound(file: string): void {
  const database = new DatabaseSync(new URL('?immutable=1', pathToFileURL(file)), { readOnly: true })
  try {
    const found = database.prepare('pragma quick_check(1)').get()?.quick_check
    if (found !== 'ok') throw new Error(`the database is damaged (${found}). Run \`loci check\`.`)
  } finally {
    database.close()
  }
}
