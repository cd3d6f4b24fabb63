import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Config, ConfigError } from './config/config.ts'
import { ensureDataDir } from './data-dir.ts'

export const serverLock = 'server.lock'

/** Held by one process at a time; ends with `release` or with the process. */
export type DirectoryLock = { release: () => void }

/** SQLITE_BUSY and SQLITE_NOTADB (https://www.sqlite.org/rescode.html). */
const busy = 5
const notADatabase = 26

/**
 * Locks a data directory for a server: an exclusive lock of the operating system on a separate file, which no crash
 * leaves behind. Undefined if another server holds it. Processes that only read and write (`loci mcp`, commands) need
 * no lock: SQLite lets them share the database. Throws {@link ConfigError} if the lock file cannot be used.
 */
export function tryLockDirectory(dataDir: string, name = serverLock): DirectoryLock | undefined {
  ensureDataDir(dataDir)
  const path = join(dataDir, name)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    // The journal stays in memory, since a full disk has no room for one.
    file.exec('pragma journal_mode = memory; begin exclusive')
    const held = file
    return { release: () => held.close() }
  } catch (cause) {
    file?.close()
    const code = ((cause as { errcode?: number }).errcode ?? 0) & 0xff
    if (code === busy) return undefined
    throw new ConfigError(`${path} cannot be locked: ${reasonOf(code, cause as Error, dataDir)}`, { cause })
  }
}

function reasonOf(code: number, { message }: Error, dataDir: string): string {
  if (code === notADatabase)
    return 'it holds something else. It keeps two servers off one directory; if no server runs there, delete it.'
  if (isDiskFull(dataDir)) return 'the disk is full. Make room on it.'
  return `${message}. This user must be able to write there.`
}

function isDiskFull(directory: string): boolean {
  const { bavail, files, ffree } = statfsSync(directory)
  // Some file systems do not count files.
  return bavail === 0 || (files > 0 && ffree === 0)
}

/** Like {@link tryLockDirectory}, but throws {@link ConfigError} if a server is already running. */
export function lockDirectory(config: Pick<Config, 'dataDir'>): DirectoryLock {
  const lock = tryLockDirectory(config.dataDir)
  if (lock !== undefined) return lock
  throw new ConfigError(
    `A Loci server is already running on ${config.dataDir}. Stop it first, or set LOCI_DATA_DIR to another directory.`,
  )
}
