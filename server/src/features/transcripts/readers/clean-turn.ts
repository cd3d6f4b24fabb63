import { type Redacted, redactSecrets } from '../../../ground/redact/redact-secrets.ts'
import type { ReaderState, ReadTurn } from './reader.ts'

export type CleanTurn = ReadTurn & { cut?: number }

const textMax = 65_536
const titleMax = 120
const filesMax = 50
const pathMax = 500

/**
 * A turn as it may leave this process: without secrets and private parts, cut to what is stored. Redacted before it is
 * cut, so that no half of a secret is left at the end.
 */
export function cleanTurn(turn: ReadTurn): { turn: CleanTurn; redacted: number } {
  const input = turn.tool?.input === undefined ? undefined : redactSecrets(turn.tool.input)
  return toCleanTurn(turn, redactSecrets(turn.text), input)
}

/** The same for a turn whose secrets were removed elsewhere. */
export function toCleanTurn(
  turn: ReadTurn,
  { text, redacted }: Redacted,
  input?: Redacted,
): { turn: CleanTurn; redacted: number } {
  const cut = Math.max(0, text.length - textMax)
  return {
    turn: {
      ...turn,
      text: cut > 0 ? text.slice(0, textMax) : text,
      ...(turn.tool && { tool: { ...turn.tool, ...(input && { input: input.text }) } }),
      ...(turn.files && { files: namesOf(turn.files) }),
      ...(cut > 0 && { cut }),
    },
    redacted: redacted + (input?.redacted ?? 0),
  }
}

const namesOf = (files: readonly string[]) =>
  files
    .filter((path) => path.length <= pathMax)
    .slice(0, filesMax)
    .map((path) => redactSecrets(path).text)

/** Names a conversation that has no title after the first thing that the person said. */
export function nameAfter({ conversation, isNamed }: ReaderState, turns: readonly CleanTurn[]): void {
  if (conversation.title || isNamed) return
  const first = turns.find(({ role }) => role === 'person')
  if (first) conversation.title = first.text.replace(/\s+/g, ' ').trim().slice(0, titleMax)
}
