import { AsyncLocalStorage } from 'node:async_hooks'
import { rmSync, statfsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { secondMs } from '../ground/lib/time.ts'

const reserveBytes = 16 * 1024 * 1024
const pieceBytes = 1024 * 1024
/** How long to wait before checking a full disk again. */
const lookAgainMs = 2 * secondMs

const essential = new AsyncLocalStorage<true>()

/** Lets the writes of `work` use the reserved space: sign-ins and deletions. */
export const withReserve = <T>(work: () => T): T => essential.run(true, work)

export const mayUseReserve = () => essential.getStore() === true

/** A file that reserves room on the disk of the database, to be released when the disk is full. */
export type DiskReserve = {
  /**
   * Reserves the space if there is room; returns whether it is reserved. Until it is, only essential writes are
   * allowed.
   */
  fill: () => Promise<boolean>
  /** Releases the space; false if there was none. */
  release: () => boolean
  /** False from a release until the space is reserved again. */
  isWhole: () => boolean | Promise<boolean>
}

export function createDiskReserve(file: string, bytes = reserveBytes): DiskReserve {
  let isReleased = false
  let lookedAt = Number.NEGATIVE_INFINITY

  async function fill(): Promise<boolean> {
    isReleased = sizeOf(file) !== bytes && !(await write(file, bytes))
    return !isReleased
  }

  return {
    fill,
    release() {
      const size = sizeOf(file)
      rmSync(file, { force: true })
      isReleased ||= size > 0
      return size > 0
    },
    isWhole() {
      if (!isReleased) return true
      if (performance.now() - lookedAt < lookAgainMs) return false
      lookedAt = performance.now()
      return fill()
    },
  }
}

const reserveFileName = 'reserve'
/** SQLite's shared memory, and the first pages of its log. */
const shmBytes = 32 * 1024
const openingBytes = 256 * 1024

export const reserveOf = (database: string) => join(dirname(database), reserveFileName)

/** Releases the reserved space if the disk is too full to open a database that nobody has open. */
export function makeRoomToOpen(database: string): void {
  if (sizeOf(`${database}-shm`) >= shmBytes) return
  const { bavail, bsize } = statfsSync(dirname(database))
  if (bavail * bsize < openingBytes) rmSync(reserveOf(database), { force: true })
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Writes all bytes: a sparse file would reserve nothing. Leaves no file behind if the disk is full. */
async function write(file: string, bytes: number): Promise<boolean> {
  try {
    const handle = await open(file, 'w', 0o600)
    try {
      for (let at = 0; at < bytes; at += pieceBytes)
        await handle.write(Buffer.alloc(pieceBytes, 1), 0, pieceBytes, at)
      await handle.sync()
    } finally {
      await handle.close()
    }
    return true
  } catch {
    rmSync(file, { force: true })
    return false
  }
}
