import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, ensureDataDir } from './config.ts'

export const secretFileName = 'secret'

/**
 * The master secret: as configured, or the one in the data directory, made there at the first start.
 * Throws {@link ConfigError} when it can be neither read nor made.
 */
export function loadSecret(config: Pick<Config, 'secret' | 'dataDir'>): string {
  if (config.secret !== undefined) return config.secret
  const file = join(config.dataDir, secretFileName)
  try {
    ensureDataDir(config.dataDir)
    if (!existsSync(file)) makeSecret(file)
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new ConfigError(`The secret in ${config.dataDir} cannot be used: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/** Appears whole or not at all; of two processes that start at once, the first one's stays. */
function makeSecret(file: string): void {
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
