import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Config, ConfigError, ensureDataDir } from './config.ts'

const lockFileName = 'server.lock'

/** Held by the one server of a data directory; `release` gives it back, and so does the end of the process. */
export type DirectoryLock = { release: () => void }

/**
 * Takes the server's place on a data directory: an exclusive lock of the operating system on a file of its own, which
 * no crash leaves behind. Undefined when another server has it. Processes that only read and write (`loci mcp`,
 * commands) need no lock: SQLite lets them share the database.
 */
export function tryLockDirectory(dataDir: string): DirectoryLock | undefined {
  ensureDataDir(dataDir)
  const file = new DatabaseSync(join(dataDir, lockFileName), { timeout: 0 })
  try {
    file.exec('begin exclusive')
    return { release: () => file.close() }
  } catch {
    file.close()
    return undefined
  }
}

/** Like {@link tryLockDirectory}, but a server that is already there is a {@link ConfigError}. */
export function lockDirectory(config: Pick<Config, 'dataDir'>): DirectoryLock {
  const lock = tryLockDirectory(config.dataDir)
  if (lock !== undefined) return lock
  throw new ConfigError(
    `A Loci server already runs on ${config.dataDir}. Stop it first, or set LOCI_DATA_DIR to another directory.`,
  )
}
