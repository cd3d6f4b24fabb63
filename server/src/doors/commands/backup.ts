import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeBackup } from '../../features/backups/write-backup.ts'
import { ConfigError, readConfig } from '../../ground/config/config.ts'
import { findSecret } from '../../ground/secret.ts'
import { databaseFileName } from '../../store/open.ts'
import { askNewPassphrase, type PassphraseOptions } from './passphrase.ts'

/** Writes the database and its secret to one file, also while a server runs. */
export async function backupTo(
  path: string,
  options: PassphraseOptions & { encrypt?: boolean },
): Promise<void> {
  const config = readConfig()
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'This database is PostgreSQL: back it up with pg_dump, and keep LOCI_SECRET with the dump. `loci backup` is for SQLite.',
    )
  }
  const source = join(config.dataDir, databaseFileName)
  if (!existsSync(source)) throw new ConfigError(`There is no database in ${config.dataDir}.`)
  if (path === '-')
    throw new ConfigError('A backup is not written to standard output: give a file that does not exist yet.')
  if (existsSync(path)) throw new ConfigError(`${path} is there already.`)
  const secret = findSecret(config)
  if (secret === undefined) throw new ConfigError(`The secret of ${config.dataDir} is missing.`)
  const isEncrypted = options.encrypt === true || options.passphraseFile !== undefined
  const passphrase = isEncrypted ? await askNewPassphrase(config, options) : undefined
  try {
    await writeBackup(path, { dataDir: config.dataDir, secret, passphrase })
  } catch (cause) {
    throw new ConfigError(`No backup was made: ${(cause as Error).message}`, { cause })
  }
  process.stdout.write(`${path} contains the database and its secret.\n${isEncrypted ? encrypted : plain}`)
}

const encrypted = 'It cannot be restored without the passphrase.\n'
const plain =
  'It is not encrypted: whoever has it reads everything. Keep it safe, or make another with --encrypt.\n'
