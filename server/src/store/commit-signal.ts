import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './db.ts'
import { inProcessOf } from './run-compiled.ts'

/**
 * How processes on one database learn of each other's commits. Signals are only hints: receivers check the database
 * themselves.
 */
export type CommitSignal = {
  /** Whether other processes are told of each commit; else they have to look. */
  reachesOthers: boolean
  /** Tells other processes where commits happened, if the database can. `places` are short texts of ours. */
  send: (db: Db, places: readonly string[]) => Promise<void>
  /**
   * Calls `onCommit` after commits of other processes, with the place if known; without one, any place may have
   * changed. Also calls it once at the start and whenever signals may have been missed.
   */
  watch: (db: Db, onCommit: (place?: string) => void) => { close: () => Promise<void> }
}

/** A check costs about 50 microseconds; there are none while nobody listens. */
const sqliteLookMs = 25

/** `data_version` changes if and only if another connection has committed to the file. */
export const sqliteCommitSignal: CommitSignal = {
  reachesOthers: false,
  send: async () => {},
  watch(db, onCommit) {
    let seen: number | undefined
    const look = () => {
      try {
        const version = inProcessOf(db.getExecutor().adapter)?.writesOfOthers()
        if (version !== seen) onCommit()
        seen = version
      } catch {
        // A failed check has seen nothing, so the next one catches up.
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
 * NOTIFY runs after the commit, since inside a transaction it makes all commits of the server queue for one lock. The
 * check of every second finds what a crash in between loses.
 */
export function postgresCommitSignal(url: string, processName?: string): CommitSignal {
  const origin = randomUUID()
  return {
    reachesOthers: true,
    async send(db, places) {
      const payloads = places.map((place) => `${origin} ${place}`)
      await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db)
    },
    watch(_db, onCommit) {
      const stop = new AbortController()
      const onPayload = (payload = '') => {
        if (!payload.startsWith(origin)) onCommit(payload.slice(origin.length + 1))
      }
      const listening = keepListening({ url, processName }, stop.signal, onCommit, onPayload)
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

/** Listens on a dedicated connection, which is reopened when it breaks, until `signal` aborts. */
async function keepListening(
  { url, processName }: { url: string; processName: string | undefined },
  signal: AbortSignal,
  onListening: () => void,
  onPayload: (payload?: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString: url,
      application_name: processName,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    // Failures also end the connection, which is handled; an unhandled 'error' event would end the process.
    client.on('error', () => {})
    client.on('notification', ({ payload }) => onPayload(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      onListening()
      await once(client, 'end', { signal })
    } catch {
      // Broken or aborted: the loop decides.
    }
    await client.end().catch(() => {})
    await sleep(postgresLookMs, undefined, { signal }).catch(() => {})
  }
}
