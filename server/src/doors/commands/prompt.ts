import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ConfigError } from '../../ground/config/config.ts'

/**
 * Asks a question on the terminal, hiding the input if `hidden`. Questions go to standard error. If the person
 * presses Ctrl+C, throws {@link ConfigError}.
 */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = hidden ? silent : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    if (!hidden) return await lines.question(question)
    // Echo must be off before the question appears.
    process.stderr.write(question)
    return await lines.question('')
  } catch (cause) {
    // Ctrl+C.
    throw new ConfigError('Nothing was changed.', { cause })
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

export const isTerminal = () => process.stdin.isTTY === true

/** The first line of standard input; on a terminal it is prompted for twice, hidden. */
export async function readSecret(name: string): Promise<string> {
  if (!isTerminal()) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? ''
  return askNewSecret(name)
}

/** Prompts twice on a terminal, hidden. Throws {@link ConfigError} if the two differ. */
export async function askNewSecret(name: string): Promise<string> {
  const first = await ask(`${name}: `, { hidden: true })
  const second = await ask(`${name} again: `, { hidden: true })
  if (first !== second) throw new ConfigError('The two are not the same.')
  return first
}

/** Throws {@link ConfigError} unless the person agrees, or passed `--yes`. */
export async function requireConsent(what: string, { yes = false }: { yes?: boolean }): Promise<void> {
  if (yes) return
  if (!isTerminal()) throw new ConfigError(`${what} Add --yes if that is what you want.`)
  const answer = await ask(`${what} Type "yes" to go on: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new ConfigError('Nothing was changed.')
}
