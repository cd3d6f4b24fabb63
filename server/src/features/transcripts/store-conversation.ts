import { redactAll } from '../../ground/redact/redact-in-thread.ts'
import { countingClean, cutTurn } from './readers/clean-turn.ts'
import { type BatchOutcome, identified, type TurnSink, toBatches } from './turn-batches.ts'

/** A conversation from a program's export, whose messages have no ids that last. */
export type WholeConversation = {
  agent: string
  externalId: string
  title: string
  startedAt: string | undefined
  messages: readonly { role: 'person' | 'agent'; text: string; at: string | undefined }[]
}

/** Stores a whole conversation. A later export of it, in which it has gone on, adds what is new. */
export async function storeConversation(
  { agent, externalId, title, startedAt, messages }: WholeConversation,
  sink: TurnSink,
): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { stored: 0, known: 0, redacted: 0 }
  const times = new Map<string, number>()
  const texts = await redactAll(messages.map(({ text }) => text))
  const turns = messages.map(({ role, at }, i) => {
    const { text, redacted } = texts[i]!
    outcome.redacted += redacted
    const turn = cutTurn({ externalId: '', at: at ?? '', role, text })
    const named = identified(turn, startedAt ?? new Date(0).toISOString())
    const time = (times.get(named.externalId) ?? 0) + 1
    times.set(named.externalId, time)
    // The same words at the same time are said again.
    return time === 1 ? named : { ...named, externalId: `${named.externalId}:${time}` }
  })
  const conversation = {
    agent,
    externalId,
    title: countingClean(outcome)(title),
    ...(startedAt && { startedAt }),
  }
  for (const batch of toBatches(turns)) {
    const { stored, known } = await sink({ conversation, turns: batch })
    outcome.stored += stored
    outcome.known += known
  }
  return outcome
}
