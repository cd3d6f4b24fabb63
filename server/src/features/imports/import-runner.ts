import type { ImportReport } from '@loci/contract/imports'
import { AppError } from '../../ground/errors/app-error.ts'
import { createTally } from '../../ground/lib/fair-queue.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { type StartedImport, startImport } from './imports.service.ts'
import type { ImportFile } from './open-import-file.ts'

const importsPerAccountMax = 4

/** The imports that this process is running. */
export type ImportRunner = {
  /** How many are running. */
  readonly size: number
  /** Takes a slot for an account's import and returns its release. Throws `rate_limited` if there are too many. */
  enter: (accountId: number) => () => void
  /** `signal` interrupts it after its current chunk. */
  start: (ctx: Context, actor: Actor, file: ImportFile, signal: AbortSignal) => Promise<StartedImport>
  /** Interrupts all imports after their current chunk, and waits for them. */
  close: () => Promise<void>
}

export function createImportRunner(): ImportRunner {
  const stop = new AbortController()
  const running = new Set<Promise<ImportReport>>()
  const places = createTally<number>()
  return {
    get size() {
      return running.size
    },
    enter(accountId) {
      if (places.get(accountId) >= importsPerAccountMax) {
        throw new AppError('rate_limited', 'Too many imports at once. Try again when one is done.', {
          retryAfter: 10,
        })
      }
      places.add(accountId, 1)
      return () => places.add(accountId, -1)
    },
    async start(ctx, actor, file, signal) {
      const either = AbortSignal.any([stop.signal, signal])
      const started = await startImport(ctx, actor, file, { signal: either })
      const end = started.end.finally(() => running.delete(end))
      running.add(end)
      return { ...started, end }
    },
    async close() {
      stop.abort()
      await Promise.allSettled(running)
    },
  }
}
