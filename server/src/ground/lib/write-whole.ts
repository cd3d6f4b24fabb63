import { closeSync, lstatSync, openSync, rmSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { minuteMs } from './time.ts'

/** Suffix of files that are being written. */
export const partSuffix = '.loci.part'
/** A live process writes to its part more often than this. */
const abandonedAfterMs = 10 * minuteMs
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Lets `write` fill an empty file beside `path` (opened with `r+`), readable by its owner only, which replaces `path`
 * once it is completely on the disk. Nothing is left behind if that fails or a signal ends it; parts of killed
 * processes are deleted with the next file in the same directory.
 */
export async function writeWhole(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${path}${partSuffix}`
  await removeAbandonedParts(dirname(path))
  await rm(part, { force: true })
  const keepSignals = removeOnSignal(part)
  try {
    // Synchronous: created in another thread, it could appear after a signal handler has removed it.
    closeSync(openSync(part, 'wx', 0o600))
    await write(part)
    await syncFile(part)
    await rename(part, path)
    await syncDirectory(dirname(path))
  } finally {
    keepSignals()
    await rm(part, { force: true })
  }
}

/** Deletes this user's parts in a directory that have not been written to for a while. */
export async function removeAbandonedParts(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith(partSuffix)) continue
    const path = join(directory, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    // In a shared directory such as /tmp, other users' parts cannot be deleted, and need not be.
    if (found === undefined || found.uid !== (process.getuid?.() ?? found.uid)) continue
    if (Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true })
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes a rename survive a power cut. Not every system lets a directory be opened. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined)
  await directory?.sync().catch(() => {})
  await directory?.close()
}

const removedOnSignal = new Set<string>()

/** Deletes these files if a signal ends the process, until the returned function is called. */
export function removeOnSignal(...paths: string[]): () => void {
  if (removedOnSignal.size === 0) for (const signal of signals) process.on(signal, endBySignal)
  for (const path of paths) removedOnSignal.add(path)
  return () => {
    for (const path of paths) removedOnSignal.delete(path)
    if (removedOnSignal.size === 0) for (const signal of signals) process.off(signal, endBySignal)
  }
}

/** A single handler for all files: the first of several would end the process and leave the other files. */
function endBySignal(signal: NodeJS.Signals): void {
  for (const path of removedOnSignal) rmSync(path, { recursive: true, force: true })
  process.exit(128 + constants.signals[signal])
}
