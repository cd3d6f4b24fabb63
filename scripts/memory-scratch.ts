import { accessSync, constants, statfsSync } from 'node:fs'

const memory = '/dev/shm'
const enoughBytes = 6 * 1024 ** 3

/**
 * Puts the tests' temporary files (databases, browser profiles) in memory if this machine has plenty: the
 * tests take a third less time than on a shared disk. An existing TMPDIR is kept.
 */
export function keepScratchInMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  process.env.TMPDIR = memory
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}
