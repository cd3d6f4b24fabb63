import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type Config, ConfigError } from '../config.ts'

export type PassphraseOptions = { passphraseFile?: string }

type Given = Pick<Config, 'backupPassphrase'>

/** Of the file, the environment or the terminal; never of the command line, which everybody on the machine can read. */
export async function askPassphrase(config: Given, options: PassphraseOptions): Promise<string> {
  return (await findPassphrase(config, options)) ?? (await prompt('Passphrase: '))
}

/** The same for one that is to be set: typed twice. */
export async function askNewPassphrase(config: Given, options: PassphraseOptions): Promise<string> {
  const given = await findPassphrase(config, options)
  if (given !== undefined) return given
  const typed = await prompt('New passphrase: ')
  if ((await prompt('The same again: ')) === typed) return typed
  throw new ConfigError('The two passphrases differ.')
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

/** Shows the question and not what is typed. */
async function prompt(question: string): Promise<string> {
  if (process.stdin.isTTY !== true) {
    throw new ConfigError(
      'A passphrase is needed. Set LOCI_BACKUP_PASSPHRASE, or name a file with --passphrase-file.',
    )
  }
  process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true })
  try {
    return requireText(await lines.question(''))
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

function requireText(passphrase: string): string {
  if (passphrase !== '') return passphrase
  throw new ConfigError('The passphrase is empty.')
}
