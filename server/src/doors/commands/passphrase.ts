import { readFile } from 'node:fs/promises'
import { type Config, ConfigError } from '../../ground/config/config.ts'
import { ask, askNewSecret, isTerminal } from './prompt.ts'

export type PassphraseOptions = { passphraseFile?: string }

type Given = Pick<Config, 'backupPassphrase'>

/**
 * Reads a passphrase from the file, the environment or the terminal; never from the command line, which every user of
 * the machine can read.
 */
export async function askPassphrase(config: Given, options: PassphraseOptions): Promise<string> {
  const given = await findPassphrase(config, options)
  if (given !== undefined) return given
  requireTerminal()
  return requireText(await ask('Passphrase: ', { hidden: true }))
}

/** The same for a new passphrase, which is typed twice. */
export async function askNewPassphrase(config: Given, options: PassphraseOptions): Promise<string> {
  const given = await findPassphrase(config, options)
  if (given !== undefined) return given
  requireTerminal()
  return requireText(await askNewSecret('New passphrase'))
}

async function findPassphrase(config: Given, { passphraseFile }: PassphraseOptions) {
  if (passphraseFile === undefined) return config.backupPassphrase
  try {
    return requireText((await readFile(passphraseFile, 'utf8')).replace(/\r?\n$/, ''))
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new ConfigError(`${passphraseFile} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function requireTerminal(): void {
  if (isTerminal()) return
  throw new ConfigError(
    'A passphrase is needed. Set LOCI_BACKUP_PASSPHRASE, or name a file with --passphrase-file.',
  )
}

function requireText(passphrase: string): string {
  if (passphrase !== '') return passphrase
  throw new ConfigError('The passphrase is empty.')
}
