import { RealtimeClient, type RealtimeStatus } from '@loci/client/realtime'
import { proposalEvents } from '@loci/contract/proposals'
import type { GraphEvent, ProposalMessage, RealtimeNews } from '@loci/contract/realtime'
import { useSyncExternalStore } from 'react'
import { onReachability, probe } from './reachability.ts'
import type { Scope } from './scope.ts'

/** How often a connection whose attempts have run out is tried again. */
const retryIntervalMs = 5 * 60_000

let client: RealtimeClient | undefined
const statusListeners = new Set<() => void>()
const eventHandlers = new Set<(event: GraphEvent) => void>()
const rewindHandlers = new Set<() => void>()
const newsHandlers = new Set<(news: RealtimeNews | ProposalMessage) => void>()
const startHandlers = new Set<() => void>()

/**
 * Opens the connection that all screens share, replacing an older one.
 * @param since the newest known change; undefined starts with the next change
 * @returns closes the connection and returns the newest change known then
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
    // Either only this connection failed, or all of them.
    if (status === 'disconnected') void probe()
  })
  const stopReachability = onReachability((now) => {
    if (now === 'reachable') opened.connect()
  })
  const stopEvents = opened.onGraphEvent((event) => {
    for (const handler of eventHandlers) handler(event)
  })
  const tellNews = (news: RealtimeNews | ProposalMessage) => {
    for (const handler of newsHandlers) handler(news)
  }
  opened.on('map_changed', tellNews)
  opened.on('recalled', tellNews)
  for (const type of proposalEvents) opened.on(type, tellNews)
  opened.on('subscribed', () => {
    for (const handler of startHandlers) handler()
  })
  const readAgain = () => {
    for (const handler of rewindHandlers) handler()
  }
  const stopRewinds = opened.onRewind(readAgain)
  // Without a starting point, data read before this connection can miss changes made until then.
  const stopFirst =
    since === undefined &&
    opened.on('subscribed', () => {
      if (stopFirst) stopFirst()
      readAgain()
    })
  // Attempts can run out while the machine sleeps, or while a proxy is being replaced.
  const reconnect = () => {
    if (document.visibilityState === 'visible') opened.connect()
  }
  document.addEventListener('visibilitychange', reconnect)
  const retries = setInterval(reconnect, retryIntervalMs)
  opened.connect()
  return () => {
    clearInterval(retries)
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

/** Calls `handler` for each change of the graph, whoever made it; returns a function that stops it. */
export function onLiveEvent(handler: (event: GraphEvent) => void): () => void {
  eventHandlers.add(handler)
  return () => eventHandlers.delete(handler)
}

/**
 * Calls `handler` when cached data may be invalid, e.g. after the server was reset to an older state; returns
 * a function that stops it.
 */
export function onLiveRewind(handler: () => void): () => void {
  rewindHandlers.add(handler)
  return () => rewindHandlers.delete(handler)
}

/** Calls `handler` for what happens beside the graph; returns a function that stops it. */
export function onLiveNews(handler: (news: RealtimeNews | ProposalMessage) => void): () => void {
  newsHandlers.add(handler)
  return () => newsHandlers.delete(handler)
}

/** Calls `handler` when a connection begins: news from before it are not sent. Returns a function that stops it. */
export function onLiveStart(handler: () => void): () => void {
  startHandlers.add(handler)
  return () => startHandlers.delete(handler)
}

/** How long a list stays fresh: indefinitely while connected, otherwise half a minute. */
export function whileLive(): number {
  return client?.status === 'connected' ? Number.POSITIVE_INFINITY : 30_000
}

/** Undefined if no connection is wanted. */
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
