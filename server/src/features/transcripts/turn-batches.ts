import { createHash } from 'node:crypto'
import type { CleanTurn } from './readers/clean-turn.ts'
import type { ReadConversation } from './readers/reader.ts'

/** What one call stores: turns of one conversation, in order. */
export type TurnBatch = { conversation: ReadConversation & { agent: string }; turns: CleanTurn[] }

export type BatchOutcome = { stored: number; known: number; redacted: number }

/** Stores turns; a turn that is there already is known, whoever stored it. Rejects if nothing can be stored now. */
export type TurnSink = (batch: TurnBatch) => Promise<BatchOutcome>

const turnsMax = 500
/** Half of what a body may have, since JSON escapes. */
const charactersMax = 2_000_000

/** The turns in parts of which each fits into one call. A turn that comes twice stands in the first place only. */
export function toBatches(turns: readonly CleanTurn[]): CleanTurn[][] {
  const batches: CleanTurn[][] = []
  const seen = new Set<string>()
  let characters = 0
  for (const turn of turns) {
    if (seen.has(turn.externalId)) continue
    seen.add(turn.externalId)
    const size = turn.text.length + (turn.tool?.input?.length ?? 0) + 500
    const last = batches.at(-1)
    if (last && last.length < turnsMax && characters + size <= charactersMax) last.push(turn)
    else batches.push([turn])
    characters = batches.at(-1)?.length === 1 ? size : characters + size
  }
  return batches
}

/** A turn with an id and a time, also where the file gave none. */
export function identified<T extends CleanTurn>(turn: T, earlierAt: string): T {
  const at = turn.at || earlierAt
  const externalId =
    turn.externalId ||
    createHash('sha256').update(`${at}\n${turn.role}\n${turn.text}`).digest('hex').slice(0, 32)
  return { ...turn, at, externalId }
}
