import { setTimeout as sleep } from 'node:timers/promises'
import type WebSocket from 'ws'
import type { Actor } from '../../auth/actor.ts'
import { authenticateToken } from '../../auth/authenticate.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { secondMs } from '../../lib/time.ts'
import { Connection, type ConnectionLimits } from './connection.ts'
import { createEventMaker } from './outgoing-events.ts'

export type RealtimeLimits = ConnectionLimits & {
  /** How often clients are pinged and their credentials looked at; who misses two pings in a row is gone. */
  roundMs: number
  connectionsPerAccountMax: number
}

export const realtimeLimits: RealtimeLimits = {
  roundMs: 20 * secondMs,
  connectionsPerAccountMax: 2_000,
  bufferBytesMax: 1024 * 1024,
  closeGraceMs: secondMs,
}

/** Code of RFC 6455: the server goes away. */
const goingAwayCode = 1001
const closingLookMs = 10

/** All realtime connections of this process. */
export class RealtimeHub {
  #ctx: Context
  #limits: RealtimeLimits
  #byAccount = new Map<number, Set<Connection>>()
  #stop = new AbortController()
  #makeEvents
  #timer

  constructor(ctx: Context, limits: RealtimeLimits) {
    this.#ctx = ctx
    this.#limits = limits
    this.#makeEvents = createEventMaker(ctx, this.#stop.signal)
    this.#timer = setInterval(() => {
      for (const connection of this.#connections()) connection.beat()
      void this.#closeUnauthorized()
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
    const connection = new Connection(this.#ctx, socket, caller, this.#makeEvents, this.#limits)
    const siblings = this.#byAccount.get(accountId) ?? new Set()
    this.#byAccount.set(accountId, siblings.add(connection))
    socket.once('close', () => {
      siblings.delete(connection)
      if (siblings.size === 0 && this.#byAccount.get(accountId) === siblings)
        this.#byAccount.delete(accountId)
    })
  }

  /** How many connections are open. */
  get size(): number {
    let size = 0
    for (const connections of this.#byAccount.values()) size += connections.size
    return size
  }

  /** Says goodbye to all and waits until they are gone; those who do not answer are cut off. */
  async close(): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#timer)
    for (const connection of this.#connections())
      connection.close(goingAwayCode, 'The server is shutting down')
    while (this.#byAccount.size > 0) await sleep(closingLookMs)
  }

  #connections(): Connection[] {
    return [...this.#byAccount.values()].flatMap((connections) => [...connections])
  }

  #closeUnauthorized = oneAtATime(async () => {
    const byToken = Map.groupBy(this.#connections(), (connection) => connection.token)
    for (const [token, connections] of byToken) {
      if (await this.#isAuthorized(token)) continue
      for (const connection of connections) connection.closeUnauthorized()
    }
  })

  /** While the database cannot tell, a credential stays good until the next round. */
  async #isAuthorized(token: string): Promise<boolean> {
    try {
      await authenticateToken(this.#ctx, token)
      return true
    } catch (error) {
      return !(error instanceof AppError)
    }
  }
}
