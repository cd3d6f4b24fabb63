import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config/config.ts'
import { closeFile, ensureDataDir } from './data-dir.ts'

export const secretFileName = 'secret'

type Place = Pick<Config, 'secret' | 'dataDir' | 'databaseUrl'>

/**
 * The master secret: as configured, or from the data directory; undefined if none has been generated yet. Throws
 * {@link ConfigError} if it cannot be read, and on PostgreSQL if none is configured: other processes and machines
 * need the same one.
 */
export function findSecret({ secret, dataDir, databaseUrl }: Place): string | undefined {
  if (secret !== undefined) return secret
  const file = join(dataDir, secretFileName)
  const kept = readSecret(file)
  if (databaseUrl === undefined) return kept
  const advice = kept === undefined ? 'openssl rand -base64 32' : `cat ${file}`
  throw new ConfigError(
    `Set LOCI_SECRET when DATABASE_URL is set, to the same value in every process: LOCI_SECRET="$(${advice})". Keep it: a backup of the database is incomplete without it.`,
  )
}

/** Generates the secret of the data directory. If two processes start at once, the first one's is kept. */
export function makeSecret({ dataDir }: Pick<Config, 'dataDir'>): string {
  ensureDataDir(dataDir)
  const file = join(dataDir, secretFileName)
  try {
    placeSecret(file)
  } catch (cause) {
    throw unusable(file, cause)
  }
  return readSecret(file)!
}

function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim()
    closeFile(file)
    if (secret !== '') return secret
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined
    throw unusable(file, cause)
  }
  throw new ConfigError(`${file} is empty. Restore it from a backup, or set LOCI_SECRET.`)
}

/** Appears completely or not at all. */
function placeSecret(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

const unusable = (file: string, cause: unknown) =>
  new ConfigError(`The secret ${file} cannot be used: ${(cause as Error).message}`, { cause })
