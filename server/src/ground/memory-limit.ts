import { ConfigError } from './config/config.ts'

const megabyte = 1024 ** 2

/**
 * What served reads, searches and an export without being killed, by the size of the database's file, the largest first: a
 * million facts, 100,000, 6,000 (`npm run bench:small`).
 */
const needs = [
  { databaseBytes: 64 * megabyte, megabytes: 256 },
  { databaseBytes: 8 * megabyte, megabytes: 192 },
  { databaseBytes: 0, megabytes: 128 },
]

/**
 * Throws {@link ConfigError} where the system allows this process less than it needs, and would kill it without a word.
 * `limit` in bytes; 0 or more than the machine has: none.
 */
export function requireMemory({ limit = process.constrainedMemory(), databaseBytes = 0 } = {}): void {
  const megabytes = Math.floor(limit / megabyte)
  const need = needs.find((one) => databaseBytes >= one.databaseBytes)!
  if (limit <= 0 || megabytes >= need.megabytes) return
  const which = databaseBytes === 0 ? '' : ` with a database of ${Math.ceil(databaseBytes / megabyte)} MB`
  throw new ConfigError(
    `This process may use ${megabytes} MB of memory, and Loci${which} needs at least ${need.megabytes}, 512 with large imports. Raise the limit of the container or the unit.`,
  )
}
