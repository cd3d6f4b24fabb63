import { setTimeout as sleep } from 'node:timers/promises'
import { secondMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { EmbeddingWorker, type WorkerOptions } from './embedding-worker.ts'
import { forgetVectors } from './forget-vectors.ts'

/** Interval of checks whether another process changed the choice. */
const lookMs = 2 * secondMs

/** Computes vectors in the background with the current choice, and follows changes of it. */
export function embedInBackground(ctx: Context, options?: WorkerOptions): { close: () => Promise<void> } {
  const { embeddings, log } = ctx
  const stop = new AbortController()
  let worker = start()

  function start(): EmbeddingWorker | undefined {
    const embedder = embeddings.current?.embedder
    if (embedder === undefined) return undefined
    const started = new EmbeddingWorker(ctx, embedder, options)
    started.start()
    return started
  }

  const stopListening = embeddings.onChange(async () => {
    await worker?.close()
    if (stop.signal.aborted) return
    worker = start()
    log.info(
      { embedder: embeddings.current?.embedder.model ?? 'none' },
      'the choice of embeddings has changed',
    )
    // Vectors computed while another process turned embeddings off are deleted too.
    if (worker === undefined) await forgetVectors(ctx)
  })

  async function look(): Promise<void> {
    while (!stop.signal.aborted) {
      await sleep(lookMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
      if (stop.signal.aborted) return
      await embeddings
        .refresh(ctx.secretBox)
        .catch((error) => log.warn({ err: error }, 'the choice of embeddings could not be read'))
    }
  }

  const looking = look()
  return {
    async close() {
      stop.abort()
      stopListening()
      await looking
      await worker?.close()
    },
  }
}
