import { ConfigError } from './config/config.ts'

/** A memory of 1,000 entities was served with 128 MB; with 96 MB the server was killed at its start. */
const megabytesMin = 128

/**
 * Throws {@link ConfigError} where the system allows this process less than it needs, and would kill it without a word.
 * `limit` in bytes; 0 or more than the machine has: none.
 */
export function requireMemory(limit: number = process.constrainedMemory()): void {
  const megabytes = Math.floor(limit / 1024 ** 2)
  if (limit <= 0 || megabytes >= megabytesMin) return
  throw new ConfigError(
    `This process may use ${megabytes} MB of memory, and Loci needs at least ${megabytesMin}, 512 with large imports. Raise the limit of the container or the unit.`,
  )
}
