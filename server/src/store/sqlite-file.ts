import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ConfigError } from '../ground/config/config.ts'

/** The header of https://www.sqlite.org/fileformat2.html#the_database_header. */
const headerBytes = 100
/** A process that creates the database leaves it empty for a few milliseconds. */
const emptyForMsMax = 2_000
const lookAgainMs = 50

/**
 * Throws {@link ConfigError} for a database file that has lost content: SQLite takes an empty file for a new
 * database, and notices a truncated one only when it reads there.
 */
export async function requireWholeFile(file: string): Promise<void> {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ConfigError(
      `${file} is a folder, where the database should be. Remove it, or restore a backup.`,
    )
  }
  if (!(await hasContent(file))) {
    throw new ConfigError(
      `${file} is empty. Restore a backup, or delete the file to begin with an empty memory.`,
    )
  }
  const missing = missingBytes(file)
  if (missing > 0) {
    throw new ConfigError(`${file} is damaged: its last ${missing} bytes are missing. Restore a backup.`)
  }
}

/** Whether the last process to use the database did not close it: it leaves its log behind. */
export function wasNotClosed(file: string): boolean {
  return sizeOf(`${file}-wal`) > 0
}

/** Whether this process can only read the database file: SQLite needs to write beside it, too. */
export function isReadOnly(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK)
    if (existsSync(file)) accessSync(file, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/**
 * What to open for reading. A file that nobody here can write, and that was closed, is opened as immutable: without a
 * lock or a log, which SQLite would create beside it.
 */
export function readableAt(file: string): string | URL {
  if (!isReadOnly(file) || wasNotClosed(file)) return file
  return new URL(`${pathToFileURL(file)}?immutable=1`)
}

/** Bytes of the file, 0 if it does not exist. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** False for a file that stays empty; true if it does not exist yet. */
async function hasContent(file: string): Promise<boolean> {
  const giveUpAt = Date.now() + emptyForMsMax
  while (statSync(file, { throwIfNoEntry: false })?.size === 0) {
    if (Date.now() > giveUpAt) return false
    await sleep(lookAgainMs)
  }
  return true
}

/** Bytes that the file lacks according to its header; 0 if unknown, as with a log whose pages are copied into it. */
function missingBytes(file: string): number {
  if (sizeOf(file) < headerBytes || wasNotClosed(file)) return 0
  const header = Buffer.alloc(headerBytes)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, headerBytes, 0)
  } finally {
    closeSync(descriptor)
  }
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const hasPageCount = header.readUInt32BE(24) === header.readUInt32BE(92)
  const isDatabase = header.toString('latin1', 0, 15) === 'SQLite format 3'
  // The size is read last, since another process may be extending the file.
  return isDatabase && hasPageCount ? Math.max(0, header.readUInt32BE(28) * pageBytes - sizeOf(file)) : 0
}
