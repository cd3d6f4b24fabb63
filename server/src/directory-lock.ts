import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Config, ConfigError } from './config.ts'
import { ensureDataDir } from './data-dir.ts'

const serverLock = 'server.lock'

/** Held by one process at a time; `release` gives it back, and so does the end of the process. */
export type DirectoryLock = { release: () => void }

/** SQLITE_BUSY and SQLITE_NOTADB (https://www.sqlite.org/rescode.html). */
const busy = 5
const notADatabase = 26

/**
 * Takes the server's place on a data directory: an exclusive lock of the operating system on a file of its own, which
 * no crash leaves behind. Undefined when another server has it. Processes that only read and write (`loci mcp`,
 * commands) need no lock: SQLite lets them share the database. Throws {@link ConfigError} when the lock's file cannot
 * be used.
 */
export function tryLockDirectory(dataDir: string, name = serverLock): DirectoryLock | undefined {
  ensureDataDir(dataDir)
  const path = join(dataDir, name)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    // The journal stays in memory: where the disk is full there is no room for one.
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
  // Some file systems number no files.
  return bavail === 0 || (files > 0 && ffree === 0)
}

/** Like {@link tryLockDirectory}, but a server that is already there is a {@link ConfigError}. */
export function lockDirectory(config: Pick<Config, 'dataDir'>): DirectoryLock {
  const lock = tryLockDirectory(config.dataDir)
  if (lock !== undefined) return lock
  throw new ConfigError(
    `A Loci server already runs on ${config.dataDir}. Stop it first, or set LOCI_DATA_DIR to another directory.`,
  )
}
