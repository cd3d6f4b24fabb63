import type { Command } from 'commander'
import { Environment } from '../../ground/config/config-variables.ts'
import { ownCommand } from '../../ground/lib/own-command.ts'

/** Reports each mistake on the command line with a sentence on standard error that names the next step. */
export function improveErrors(command: Command, path = command.name()): void {
  command.configureOutput({ outputError: (text, write) => write(toSentence(text, path)) })
  for (const below of command.commands) improveErrors(below, `${path} ${below.name()}`)
}

/**
 * `error: unknown option '--x'` -> `Unknown option '--x'. Run "loci export --help" for help.`, with the
 * command as it is typed in this installation.
 */
function toSentence(text: string, path: string): string {
  const [first = '', hint = ''] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n')
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/[.:]?$/, '.')
  const guess = hint === '' ? '' : ` ${hint.replace(/^\((.*)\)$/, '$1')}`
  const [, ...words] = path.split(' ')
  return `${sentence}${guess} Run "${ownCommand([...words, '--help'].join(' '))}" for help.\n`
}

/** Ends the program if the default command gets words that it does not know, which are no command either. */
export function refuseUnknownCommand(serve: Command, known: readonly string[]): void {
  const [word] = serve.args
  if (word === undefined) return
  const near = known.filter((name) => name.startsWith(word.slice(0, 3)))
  const hint = near.length > 0 ? `\n(Did you mean ${near.join(' or ')}?)` : ''
  serve.parent?.error(`error: there is no command '${word}'${hint}`)
}

/** For `loci serve --help`: each variable and its meaning. */
export function describeVariables(): string {
  const lines = Object.entries(Environment.shape).map(([name, schema]) => {
    const preset: unknown = schema.safeParse(undefined).data
    const shown = preset === undefined ? '' : ` (${String(preset)})`
    return `  ${name}${shown}\n      ${schema.description ?? ''}`
  })
  return `\nEnvironment variables (details in docs/configuration.md):\n${lines.join('\n')}\n`
}
