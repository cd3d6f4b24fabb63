import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { CommitSignal } from './dialect.ts'
import { inProcessOf } from './run-compiled.ts'

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

const postgresTickMs = 1_000
/** Finds what a process that died had no time to tell. */
const postgresLookMs = 60_000
const beatMs = 15_000
const channel = 'loci_commits'

/**
 * NOTIFY runs after the commit, since inside a transaction it makes all commits of the server queue for one lock. The
 * process tells itself too, from another connection: while it does not hear that, behind a pooler or on a connection that
 * died in silence, it looks every second.
 */
export function postgresCommitSignal(url: string, processName?: string): CommitSignal {
  const origin = randomUUID()
  return {
    reachesOthers: true,
    async send(db, places) {
      const payloads = places.map((place) => `${origin} ${place}`)
      await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db)
    },
    watch(db, onCommit, isAwaited) {
      const stop = new AbortController()
      const last = { beatAt: Number.NEGATIVE_INFINITY, heardAt: Number.NEGATIVE_INFINITY, lookAt: 0 }
      const look = () => {
        last.lookAt = performance.now()
        onCommit()
      }
      const tick = () => {
        const now = performance.now()
        if (!isAwaited()) return
        if (now - last.lookAt >= postgresLookMs || now - last.heardAt >= 2 * beatMs) look()
        if (now - last.beatAt < beatMs) return
        last.beatAt = now
        sql`select pg_notify(${origin}, '')`.execute(db).catch(() => {})
      }
      const onNotification = (from: string, payload: string) => {
        if (from === origin) last.heardAt = performance.now()
        else if (!payload.startsWith(origin)) onCommit(payload.slice(origin.length + 1))
      }
      const listening = keepListening({ url, processName, channels: [channel, origin] }, stop.signal, {
        onListening: look,
        onNotification,
      })
      const timer = setInterval(tick, postgresTickMs)
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
  { url, processName, channels }: { url: string; processName: string | undefined; channels: string[] },
  signal: AbortSignal,
  on: { onListening: () => void; onNotification: (channel: string, payload: string) => void },
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
    client.on('notification', ({ channel, payload = '' }) => on.onNotification(channel, payload))
    try {
      await client.connect()
      await client.query(channels.map((channel) => `listen "${channel}"`).join('; '))
      on.onListening()
      await once(client, 'end', { signal })
    } catch {
      // Broken or aborted: the loop decides.
    }
    await client.end().catch(() => {})
    await sleep(postgresTickMs, undefined, { signal }).catch(() => {})
  }
}
