import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './db.ts'
import { inProcessOf } from './run-compiled.ts'

/** How processes on one database hear of each other's commits. Hints only: whoever hears one looks for itself. */
export type CommitSignal = {
  /** Tells the other processes where commits happened, if the database can. `places` are short texts of ours. */
  send: (db: Db, places: readonly string[]) => Promise<void>
  /**
   * Calls `onCommit` after commits of other processes: with the place if they told one, without where it may be
   * anywhere. Calls it once at the beginning and whenever it may have been deaf.
   */
  watch: (db: Db, onCommit: (place?: string) => void) => { close: () => Promise<void> }
}

/** A look costs about 50 microseconds, and there is none while nobody listens. */
const sqliteLookMs = 25

/** `data_version` changes when, and only when, another connection has committed to the file. */
export const sqliteCommitSignal: CommitSignal = {
  send: async () => {},
  watch(db, onCommit) {
    let seen: number | undefined
    const look = () => {
      try {
        const version = inProcessOf(db.getExecutor().adapter)?.writesOfOthers()
        if (version !== seen) onCommit()
        seen = version
      } catch {
        // A look that fails has seen nothing, so the next one makes up for it.
      }
    }
    const timer = setInterval(look, sqliteLookMs)
    return {
      close: async () => clearInterval(timer),
    }
  },
}

const postgresLookMs = 1_000
const channel = 'loci_commits'

/**
 * NOTIFY after the commit, since inside of a transaction it makes all commits of the server queue for one lock; what
 * a crash in between swallows, the look of every second finds.
 */
export function postgresCommitSignal(url: string): CommitSignal {
  const origin = randomUUID()
  return {
    async send(db, places) {
      const payloads = places.map((place) => `${origin} ${place}`)
      await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db)
    },
    watch(_db, onCommit) {
      const stop = new AbortController()
      const onPayload = (payload = '') => {
        if (!payload.startsWith(origin)) onCommit(payload.slice(origin.length + 1))
      }
      const listening = keepListening(url, stop.signal, onCommit, onPayload)
      const timer = setInterval(() => onCommit(), postgresLookMs)
      return {
        close: () => {
          clearInterval(timer)
          stop.abort()
          return listening
        },
      }
    },
  }
}

/** Listens on a connection of its own, made anew when it breaks, until `signal` says to stop. */
async function keepListening(
  url: string,
  signal: AbortSignal,
  onListening: () => void,
  onPayload: (payload?: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true })
    // What went wrong shows as the end of the connection; without a listener it would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => onPayload(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      onListening()
      await once(client, 'end', { signal })
    } catch {
      // Broken or told to stop: the loop decides.
    }
    await client.end().catch(() => {})
    await sleep(postgresLookMs, undefined, { signal }).catch(() => {})
  }
}
