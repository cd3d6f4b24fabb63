import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readBackup } from '../../features/backups/read-backup.ts'
import { ConfigError, readConfig } from '../../ground/config/config.ts'
import { lockDirectory, serverLock } from '../../ground/directory-lock.ts'
import { askPassphrase, type PassphraseOptions } from './passphrase.ts'

/** Restores a backup into the data directory, which has to be empty. */
export async function restoreFrom(path: string, options: PassphraseOptions): Promise<void> {
  const config = readConfig()
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'DATABASE_URL is set: restore PostgreSQL with pg_restore or psql, and start with the LOCI_SECRET that belongs to the dump.',
    )
  }
  const isNew = !existsSync(config.dataDir)
  const lock = lockDirectory(config)
  let isRestored = false
  try {
    const { createdAt } = await readBackup(path, config.dataDir, () => askPassphrase(config, options))
    isRestored = true
    process.stdout.write(`${config.dataDir} is as it was at ${createdAt}. Start the server.\n`)
    if (config.secret !== undefined)
      process.stdout.write(
        'LOCI_SECRET is set. If it differs from the secret of the backup, the server will not start.\n',
      )
  } catch (cause) {
    throw new ConfigError(`${path} was not restored: ${(cause as Error).message}`, { cause })
  } finally {
    lock.release()
    if (isNew && !isRestored) removeDirectory(config.dataDir)
  }
}

/** Removes a directory with nothing but the lock in it. */
function removeDirectory(dataDir: string): void {
  if (readdirSync(dataDir).some((name) => !name.startsWith(serverLock))) return
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { force: true })
  rmdirSync(dataDir)
}
