import { parentPort, workerData } from 'node:worker_threads'
import type { Surroundings } from '../../ground/config/config.ts'
import { TurnsRefused, TurnsUnavailable } from './server-sink.ts'
import { placesIn } from './transcript-places.ts'
import { transcriptLister, transcriptSources } from './transcript-sources.ts'
import type { BatchOutcome, TurnBatch, TurnSink } from './turn-batches.ts'
import { watchTranscripts } from './watch-transcripts.ts'

export type FollowOrder = { surroundings: Surroundings; agents: readonly string[]; placesFolder: string }

/** Turns to store, or a file that could not be read. */
export type FollowMessage =
  | { kind: 'batch'; number: number; batch: TurnBatch }
  | { kind: 'trouble'; path: string; message: string }

export type FollowAnswer = { number: number } & (
  | { outcome: BatchOutcome }
  | { refused: string }
  | { unavailable: string }
)

const port = parentPort!
const { surroundings, agents, placesFolder } = workerData as FollowOrder
const waiting = new Map<number, (answer: FollowAnswer) => void>()
let last = 0

port.on('message', (answer: FollowAnswer) => {
  waiting.get(answer.number)?.(answer)
  waiting.delete(answer.number)
})

const sink: TurnSink = async (batch) => {
  const number = ++last
  const { promise, resolve } = Promise.withResolvers<FollowAnswer>()
  waiting.set(number, resolve)
  port.postMessage({ kind: 'batch', number, batch } satisfies FollowMessage)
  const answer = await promise
  if ('refused' in answer) throw new TurnsRefused(answer.refused)
  if ('unavailable' in answer) throw new TurnsUnavailable(answer.unavailable)
  return answer.outcome
}

const sources = transcriptSources(surroundings).filter(({ reader }) => agents.includes(reader.agent))
await watchTranscripts({
  list: transcriptLister(sources),
  places: placesIn(placesFolder),
  sink,
  signal: new AbortController().signal,
  onTrouble: ({ path }, { message }) =>
    port.postMessage({ kind: 'trouble', path, message } satisfies FollowMessage),
})
