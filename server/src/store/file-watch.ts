import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { PeriodicWork } from '../ground/lib/periodic-work.ts'
import { dayMs, minuteMs } from '../ground/lib/time.ts'
import type { Dialect } from './dialect.ts'

export type FileWatchTimes = { firstMs?: number; everyMs?: number }

/**
 * Reads the whole SQLite file ten minutes after the start and then once a day: SQLite notices a damaged page only when
 * it reads it, and until then every backup that is kept may lack what the page held.
 */
export function createFileWatch(
  { dialect, log }: { dialect: Dialect; log: Logger },
  times: FileWatchTimes = {},
): PeriodicWork {
  const { firstMs = 10 * minuteMs, everyMs = dayMs } = times
  const stop = new AbortController()
  const { signal } = stop

  async function look(): Promise<void> {
    const found = await dialect.checkSlowly(signal).catch((error) => {
      if (!signal.aborted) log.warn({ err: error }, 'the database file could not be checked')
      return []
    })
    if (found.length > 0) log.error({ found }, 'the database file is damaged; nothing more is stored in it')
  }

  async function repeat(): Promise<void> {
    const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
    await rest(firstMs)
    while (!signal.aborted) {
      await look()
      await rest(everyMs)
    }
  }

  let running: Promise<void> = Promise.resolve()
  return {
    start() {
      running = repeat()
    },
    close() {
      stop.abort()
      return running
    },
  }
}
