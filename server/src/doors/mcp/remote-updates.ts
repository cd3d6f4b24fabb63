import { setTimeout as sleep } from 'node:timers/promises'
import { reconnectIntervalMs } from '@loci/contract/realtime'
import type { Client, McpSubscription } from '@modelcontextprotocol/client'
import type { Logger } from 'pino'
import { retryUntilDone } from '../../ground/lib/retry-until-done.ts'

/** Updates of resources of a remote server: one stream per subscribed URI. */
export type RemoteUpdates = {
  /** Resolves when no later change can be missed. Rejects if the server cannot be reached. */
  add: (uri: string) => Promise<void>
  remove: (uri: string) => void
  close: () => void
}

/**
 * `connect` returns the client, which forwards notifications; `tell` is called after an interruption,
 * when updates may have been missed.
 */
export function createRemoteUpdates(
  connect: () => Promise<Client>,
  tell: (uri: string) => void,
  log: Logger,
): RemoteUpdates {
  const stop = new AbortController()
  const streams = new Map<string, Promise<McpSubscription>>()

  const open = async (uri: string) => {
    const client = await connect()
    const stream = await client.listen({ resourceSubscriptions: [uri] })
    void stream.closed.then(async (how) => {
      if (how === 'local') return
      if (how === 'graceful') await untilItsTurn()
      void reopen(uri)
    })
    return stream
  }
  /** A server that stops ends the streams of all its clients; they come back at different moments. */
  const untilItsTurn = () =>
    sleep(Math.random() * reconnectIntervalMs, undefined, { signal: stop.signal }).catch(() => {})
  const reopen = async (uri: string) => {
    const onError = (error: unknown) => log.warn({ err: error, uri }, 'Updates are interrupted; trying again')
    const stream = await retryUntilDone(() => open(uri), stop.signal, onError)
    if (stream === undefined) return
    if (!streams.has(uri)) return void stream.close()
    streams.set(uri, Promise.resolve(stream))
    tell(uri)
  }
  const remove = (uri: string) => {
    const stream = streams.get(uri)
    streams.delete(uri)
    stream?.then((open) => open.close()).catch(() => {})
  }
  return {
    async add(uri) {
      const stream = streams.get(uri) ?? open(uri)
      streams.set(uri, stream)
      await stream.catch((error) => {
        streams.delete(uri)
        throw error
      })
    },
    remove,
    close() {
      stop.abort()
      for (const uri of streams.keys()) remove(uri)
    },
  }
}
