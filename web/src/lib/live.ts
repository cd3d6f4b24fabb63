import { RealtimeClient, type RealtimeStatus } from '@loci/client/realtime'
import type { GraphEvent } from '@loci/contract/realtime'
import { useSyncExternalStore } from 'react'
import { onReachability, probe } from './reachability.ts'
import type { Scope } from './scope.ts'

let client: RealtimeClient | undefined
const statusListeners = new Set<() => void>()
const eventHandlers = new Set<(event: GraphEvent) => void>()
const rewindHandlers = new Set<() => void>()

/**
 * Opens the connection that the screens share, in place of an older one.
 * @param since the newest change known; undefined begins with what changes from now on
 * @returns ends it, and tells the newest change known then
 */
export function openLiveConnection(
  token: string,
  scope: Scope,
  since: number | undefined,
): () => number | undefined {
  const baseUrl = window.location.origin
  const opened = new RealtimeClient({ baseUrl, token, ...scope, ...(since !== undefined && { since }) })
  client?.close()
  client = opened
  const stopStatus = opened.onStatus((status) => {
    announceStatus()
    // It may be this connection alone, or all of them.
    if (status === 'disconnected') void probe()
  })
  const stopReachability = onReachability((now) => {
    if (now === 'reachable') opened.connect()
  })
  const stopEvents = opened.onGraphEvent((event) => {
    for (const handler of eventHandlers) handler(event)
  })
  const readAgain = () => {
    for (const handler of rewindHandlers) handler()
  }
  const stopRewinds = opened.onRewind(readAgain)
  // Without a beginning, what was read before this connection may lack what changed until then.
  const stopFirst =
    since === undefined &&
    opened.on('subscribed', () => {
      if (stopFirst) stopFirst()
      readAgain()
    })
  // The attempts may have run out while the machine slept.
  const reconnect = () => {
    if (document.visibilityState === 'visible') opened.connect()
  }
  document.addEventListener('visibilitychange', reconnect)
  opened.connect()
  return () => {
    stopReachability()
    document.removeEventListener('visibilitychange', reconnect)
    stopEvents()
    stopRewinds()
    opened.close()
    stopStatus()
    if (client === opened) client = undefined
    announceStatus()
    return opened.lastSeq ?? since
  }
}

/** Calls `handler` for each change of the graph, whoever made it; the answer ends that. */
export function onLiveEvent(handler: (event: GraphEvent) => void): () => void {
  eventHandlers.add(handler)
  return () => eventHandlers.delete(handler)
}

/** Calls `handler` when what was read may no longer hold, as when the server went back; the answer ends that. */
export function onLiveRewind(handler: () => void): () => void {
  rewindHandlers.add(handler)
  return () => rewindHandlers.delete(handler)
}

/** How long a list is fresh: as long as events keep it so, half a minute without them. */
export function whileLive(): number {
  return client?.status === 'connected' ? Number.POSITIVE_INFINITY : 30_000
}

/** Undefined while no connection is wanted. */
export function useConnectionStatus(): RealtimeStatus | undefined {
  return useSyncExternalStore(subscribe, () => client?.status)
}

function subscribe(listener: () => void): () => void {
  statusListeners.add(listener)
  return () => statusListeners.delete(listener)
}

function announceStatus(): void {
  for (const listener of statusListeners) listener()
}
