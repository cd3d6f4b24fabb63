import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FollowAnswer, FollowMessage, FollowOrder } from './follow-thread.ts'
import { TurnsRefused, TurnsUnavailable } from './server-sink.ts'
import type { TurnBatch, TurnSink } from './turn-batches.ts'

export type Troubles = {
  onTrouble: (path: string, message: string) => void
  /** Nothing can be stored; following has ended. */
  onEnd: (error: unknown) => void
}

/**
 * Follows transcripts in a thread, since reading many would keep this one from serving. Turns are stored here. Ending it
 * at any moment loses nothing.
 */
export function followInThread(
  order: FollowOrder,
  sink: TurnSink,
  { onTrouble, onEnd }: Troubles,
): { close: () => Promise<void> } {
  const worker = new Worker(new URL('./follow-thread.ts', import.meta.url), { workerData: order })
  worker.unref()
  let storing: Promise<void> = Promise.resolve()
  worker.on('message', (message: FollowMessage) => {
    if (message.kind === 'trouble') onTrouble(message.path, message.message)
    else storing = answer(worker, message.number, sink, message.batch)
  })
  // `once` rejects with the error of a thread that fails.
  const ended = once(worker, 'exit').then(() => undefined, onEnd)
  return {
    async close() {
      await storing
      await worker.terminate()
      await ended
    },
  }
}

async function answer(worker: Worker, number: number, sink: TurnSink, batch: TurnBatch): Promise<void> {
  const stored = await sink(batch).then(
    (outcome): FollowAnswer => ({ number, outcome }),
    (error: Error): FollowAnswer =>
      error instanceof TurnsRefused
        ? { number, refused: error.message }
        : { number, unavailable: error instanceof TurnsUnavailable ? error.message : String(error) },
  )
  worker.postMessage(stored)
}
