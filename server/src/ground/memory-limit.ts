import { ConfigError } from './config/config.ts'
import { AppError } from './errors/app-error.ts'

const megabyte = 1024 ** 2

/**
 * What served reads, searches and an export without being killed, by the size of the database's file, the largest first: a
 * million facts, 138,000, 17,000 (`npm run bench:small`).
 */
const needs = [
  { databaseBytes: 64 * megabyte, megabytes: 256 },
  { databaseBytes: 8 * megabyte, megabytes: 192 },
  { databaseBytes: 0, megabytes: 160 },
]

/** What was imported without being killed, in megabytes of memory, and in bytes of a file or less; the largest first. */
const importNeeds = [
  { megabytes: 384, bytesMax: undefined },
  { megabytes: 256, bytesMax: megabyte },
  { megabytes: 192, bytesMax: 256 * 1_024 },
]
/** A preset, a note. */
const leastImportedBytes = 16 * 1_024

/** How much memory the system allows this process, in megabytes; undefined without a limit. */
export function memoryLimit(limit = process.constrainedMemory()): number | undefined {
  return limit <= 0 || limit > Number.MAX_SAFE_INTEGER ? undefined : Math.floor(limit / megabyte)
}

/**
 * Throws {@link ConfigError} where the system allows this process less than it needs, and would kill it without a word.
 * `limit` in bytes; 0 or more than the machine has: none.
 */
export function requireMemory({ limit = process.constrainedMemory(), databaseBytes = 0 } = {}): void {
  const megabytes = memoryLimit(limit)
  const need = needs.find((one) => databaseBytes >= one.databaseBytes)!
  if (megabytes === undefined || megabytes >= need.megabytes) return
  const which = databaseBytes === 0 ? '' : ` with a database of ${Math.ceil(databaseBytes / megabyte)} MB`
  throw new ConfigError(
    `This process may use ${megabytes} MB of memory, and Loci${which} needs at least ${need.megabytes}, ${importNeeds[0]!.megabytes} with large imports. Raise the limit of the container or the unit.`,
  )
}

/** Whether threads that fill tens of megabytes before they collect garbage fit beside the rest of this process. */
export const hasMemoryForThreads = () =>
  (memoryLimit() ?? Number.POSITIVE_INFINITY) >= importNeeds[0]!.megabytes

/** The largest file that this process may import; undefined without a limit. */
export function importedBytesMax(): number | undefined {
  const megabytes = memoryLimit() ?? Number.POSITIVE_INFINITY
  const need = importNeeds.find((one) => megabytes >= one.megabytes)
  return need === undefined ? leastImportedBytes : need.bytesMax
}

/** Throws `body_too_large` if the system would kill this process while it imports so much. */
export function requireMemoryToImport(bytes: number): void {
  const bytesMax = importedBytesMax()
  if (bytesMax === undefined || bytes <= bytesMax) return
  throw new AppError(
    'body_too_large',
    `With the ${memoryLimit()} MB of memory that this process may use, it imports up to ${bytesMax / 1_024} KiB at a time. Raise the limit of the container or the unit to ${importNeeds[0]!.megabytes} MB.`,
  )
}
