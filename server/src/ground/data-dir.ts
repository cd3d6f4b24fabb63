import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from './config/config.ts'

/** Names that Loci creates in a data directory; if it contains nothing else, Loci can restrict access to it. */
const ownFiles =
  /^(loci\.db|secret|server\.(lock|address)|spool_|backup\.(lock|done)|reserve$|embeddings$|follow(ed|\.lock)?$|imported$|hooks\.(lock|sock)$|restore\.part)|\.loci\.part$/
const forOthers = 0o077
const sticky = 0o1000

/**
 * Creates the data directory for its owner only, and restricts an existing one if that harms nobody. If it cannot be
 * created, or is open to others and contains other files, throws {@link ConfigError}.
 */
export function ensureDataDir(dataDir: string): void {
  try {
    makeDirectory(dataDir)
  } catch (cause) {
    throw new ConfigError(`The data directory ${dataDir} cannot be made: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (process.platform !== 'win32') closeToOthers(dataDir)
}

/** Creates parents too. Node's own `recursive` never returns in /proc, where nothing can be created. */
function makeDirectory(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error(`${path} is not a directory`)
    return
  }
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function closeToOthers(dataDir: string): void {
  const { mode } = statSync(dataDir)
  if ((mode & forOthers) === 0) return
  const isForAll = (mode & sticky) !== 0
  const names = isForAll ? [] : readdirSync(dataDir)
  if (!isForAll && names.every((name) => ownFiles.test(name)) && isClosed(dataDir)) return
  const rights = (mode & 0o7777).toString(8)
  const problem = `Others on this machine can open the data directory ${dataDir} (mode ${rights}), where Loci keeps everything in plain form.`
  // Restricting a directory that others use too, such as /tmp, would harm them.
  throw new ConfigError(
    names.some((name) => ownFiles.test(name))
      ? `${problem} Close it with "chmod 700 ${dataDir}", or set LOCI_DATA_DIR to a directory of its own.`
      : `${problem} Set LOCI_DATA_DIR to a directory of its own, such as ${join(dataDir, 'loci')}: Loci makes one that is closed to others.`,
  )
}

function isClosed(dataDir: string): boolean {
  try {
    chmodSync(dataDir, 0o700)
    return true
  } catch {
    return false
  }
}

/** Removes other users' access to a file of ours, which an earlier umask may have allowed. */
export function closeFile(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  if (process.platform === 'win32' || (mode & forOthers) === 0) return
  try {
    chmodSync(file, 0o600)
  } catch {
    // The file belongs to another user; the directory is restricted.
  }
}
