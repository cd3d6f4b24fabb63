import { setTimeout as sleep } from 'node:timers/promises'
import { restartCloseCode } from '@loci/contract/realtime'
import type WebSocket from 'ws'
import { AppError } from '../../ground/errors/app-error.ts'
import { secondMs } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { watchCredentials } from '../../tenancy/auth/watch-credentials.ts'
import type { Context } from '../../tenancy/context.ts'
import { Connection, type ConnectionLimits } from './connection.ts'
import { createNewsRoom } from './news-room.ts'
import { createEventMaker } from './outgoing-events.ts'
import { createProposalFeeds } from './proposal-feeds.ts'

export type RealtimeLimits = ConnectionLimits & {
  /** Ping interval; a client that misses two pings in a row is dropped. Credentials are checked at least as often. */
  roundMs: number
  connectionsPerAccountMax: number
}

export const realtimeLimits: RealtimeLimits = {
  roundMs: 20 * secondMs,
  connectionsPerAccountMax: 2_000,
  bufferBytesMax: 1024 * 1024,
  closeGraceMs: secondMs,
}

const closingLookMs = 10

/** All realtime connections of this process. */
export class RealtimeHub {
  #ctx: Context
  #limits: RealtimeLimits
  #byAccount = new Map<number, Set<Connection>>()
  #byToken = new Map<string, { connections: Set<Connection>; unwatch: () => void }>()
  #stop = new AbortController()
  #sources
  #timer

  constructor(ctx: Context, limits: RealtimeLimits) {
    this.#ctx = ctx
    this.#limits = limits
    const { signal } = this.#stop
    this.#sources = {
      makeEvents: createEventMaker(ctx, signal),
      followNews: createNewsRoom(ctx),
      followProposals: createProposalFeeds(ctx, signal),
    }
    this.#timer = setInterval(() => {
      for (const connection of this.#connections()) connection.beat()
    }, limits.roundMs)
  }

  /** Throws `shutting_down`, and `rate_limited` when the account has too many connections. */
  requireRoom(accountId: number): void {
    if (this.#stop.signal.aborted) throw new AppError('shutting_down', 'The server is shutting down')
    if ((this.#byAccount.get(accountId)?.size ?? 0) < this.#limits.connectionsPerAccountMax) return
    throw new AppError(
      'rate_limited',
      `An account can have ${this.#limits.connectionsPerAccountMax} connections at a time`,
      { retryAfter: 60 },
    )
  }

  accept(socket: WebSocket, caller: { actor: Actor; token: string }): void {
    const { accountId } = caller.actor
    const connection = new Connection(this.#ctx, socket, caller, this.#sources, this.#limits)
    const siblings = this.#byAccount.get(accountId) ?? new Set()
    this.#byAccount.set(accountId, siblings.add(connection))
    const leave = this.#followToken(caller, connection)
    socket.once('close', () => {
      leave()
      siblings.delete(connection)
      if (siblings.size === 0 && this.#byAccount.get(accountId) === siblings)
        this.#byAccount.delete(accountId)
    })
  }

  /** Number of open connections. */
  get size(): number {
    let size = 0
    for (const connections of this.#byAccount.values()) size += connections.size
    return size
  }

  /** Closes all connections and waits until they are gone; those that do not respond are terminated. */
  async close(): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#timer)
    for (const connection of this.#connections())
      connection.close(restartCloseCode, 'The server is shutting down')
    while (this.#byAccount.size > 0) await sleep(closingLookMs)
  }

  /** Closes a connection when its credentials end; connections with the same token and space share one watch. */
  #followToken(caller: { actor: Actor; token: string }, connection: Connection): () => void {
    const key = `${caller.actor.spaceId} ${caller.token}`
    const known = this.#byToken.get(key)
    const connections = known?.connections ?? new Set()
    connections.add(connection)
    const end = () => {
      this.#byToken.delete(key)
      for (const one of connections) one.closeUnauthorized()
    }
    const unwatch = known?.unwatch ?? watchCredentials(this.#ctx, caller, this.#limits.roundMs, end)
    this.#byToken.set(key, { connections, unwatch })
    return () => {
      connections.delete(connection)
      if (connections.size > 0) return
      unwatch()
      if (this.#byToken.get(key)?.connections === connections) this.#byToken.delete(key)
    }
  }

  #connections(): Connection[] {
    return [...this.#byAccount.values()].flatMap((connections) => [...connections])
  }
}
