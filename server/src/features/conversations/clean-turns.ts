import { type NewTurn, type StoreTurns, turnTextMax } from '@loci/contract/conversations'
import { redactInThread } from '../../ground/redact/redact-in-thread.ts'
import { redactSecrets } from '../../ground/redact/redact-secrets.ts'

type Cleaned = StoreTurns & { redacted: number }

/** Below this, sending texts to a thread takes longer than reading them here. */
const charactersMin = 8_000

/**
 * Turns as they may be stored: without secrets and private passages, and no longer than a turn may be. Senders have
 * removed them already, as far as they know them. Redacted before it is cut, so that no half of a secret is left.
 */
export async function cleanTurns({ conversation, turns }: StoreTurns): Promise<Cleaned> {
  const texts = [
    conversation.title ?? '',
    ...turns.flatMap(({ text, tool }) => [text, tool?.name ?? '', tool?.input ?? '']),
  ]
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const redacted = length < charactersMin ? texts.map(redactSecrets) : await redactInThread(texts)
  const [title, ...rest] = redacted.map(({ text }) => text)
  return {
    conversation: { ...conversation, ...(conversation.title !== undefined && { title }) },
    turns: turns.map((turn, i) => withTexts(turn, rest.slice(3 * i, 3 * i + 3))),
    redacted: redacted.reduce((sum, one) => sum + one.redacted, 0),
  }
}

function withTexts(turn: NewTurn, [text = '', name = '', input = '']: string[]): NewTurn {
  const kept = startOf(text)
  const cut = (turn.cut ?? 0) + text.length - kept.length
  return {
    ...turn,
    text: kept,
    ...(turn.tool && {
      tool: { ...turn.tool, name, ...(turn.tool.input !== undefined && { input: startOf(input) }) },
    }),
    ...(cut > 0 && { cut }),
  }
}

/** As much as a turn may have, without half of a character at the end. */
function startOf(text: string): string {
  if (text.length <= turnTextMax) return text
  const isHalf = /[\ud800-\udbff]/.test(text[turnTextMax - 1]!)
  return text.slice(0, isHalf ? turnTextMax - 1 : turnTextMax)
}
