import { type NewTurn, type StoreTurns, turnTextMax } from '@loci/contract/conversations'
import { redactAll } from '../../ground/redact/redact-in-thread.ts'
import { type Clean, cleanConversation, cleanTexts } from '../transcripts/readers/clean-turn.ts'

type Cleaned = StoreTurns & { redacted: number }

/**
 * Turns as they may be stored: without secrets and private passages, and no longer than a turn may be. Senders have
 * removed them already, as far as they know them. Redacted before it is cut, so that no half of a secret is left.
 */
export async function cleanTurns(input: StoreTurns): Promise<Cleaned> {
  const texts: string[] = []
  mapTexts(input, (text) => {
    texts.push(text)
    return text
  })
  const redacted = await redactAll(texts)
  let at = 0
  const { conversation, turns } = mapTexts(input, () => redacted[at++]!.text)
  return {
    conversation,
    turns: turns.map(withinBounds),
    redacted: redacted.reduce((sum, one) => sum + one.redacted, 0),
  }
}

/** Replaces every text but the names of agents and the ids that they give. */
const mapTexts = ({ conversation, turns }: StoreTurns, replace: Clean): StoreTurns => ({
  conversation: cleanConversation(conversation, replace),
  turns: turns.map((turn) => cleanTexts(turn, replace)),
})

function withinBounds({ text, tool, cut = 0, ...turn }: NewTurn): NewTurn {
  const kept = startOf(text)
  const left = cut + text.length - kept.length
  return {
    ...turn,
    text: kept,
    ...(tool && { tool: { ...tool, ...(tool.input !== undefined && { input: startOf(tool.input) }) } }),
    ...(left > 0 && { cut: left }),
  }
}

/** As much as a turn may have, without half of a character at the end. */
function startOf(text: string): string {
  if (text.length <= turnTextMax) return text
  const isHalf = /[\ud800-\udbff]/.test(text[turnTextMax - 1]!)
  return text.slice(0, isHalf ? turnTextMax - 1 : turnTextMax)
}
