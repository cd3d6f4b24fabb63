import { reconnectIntervalMs } from '@loci/contract/realtime'
import type { ServerEventBus } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'
import { createTally } from '../../ground/lib/fair-queue.ts'
import { minuteMs, secondMs } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { bearerOf } from '../../tenancy/auth/authenticate.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { confirmActor } from '../../tenancy/auth/resolve-space.ts'
import { watchCredentials } from '../../tenancy/auth/watch-credentials.ts'
import type { Context } from '../../tenancy/context.ts'
import { watchResources } from './resource-updates.ts'

const listenMethod = 'subscriptions/listen'
const checkMs = minuteMs
/** So that one account cannot take all streams. */
const streamsPerAccountMax = 100

/** A call of `subscriptions/listen`: its response is a stream that stays open. */
export type Listening = {
  /** The newest change when the call arrived. */
  seq: number
  /** False as soon as its credentials are no longer valid; the stream then ends. */
  isAllowed: () => Promise<boolean>
}

export function isListen(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Reflect.get(body, 'method') === listenMethod
}

/** The open streams of this process. */
export type Streams = {
  readonly size: number
  /** Counts a stream until its response ends. Throws `rate_limited` if the account has too many. */
  take: (accountId: number, reply: FastifyReply) => void
  /** Tells each client when to come back (`retry` of server-sent events), not all at one moment. */
  announceRestart: () => void
}

export function createStreams(): Streams {
  const open = createTally<number>()
  const replies = new Set<FastifyReply>()
  let size = 0
  const take = (accountId: number, reply: FastifyReply) => {
    if (open.get(accountId) >= streamsPerAccountMax) {
      throw new AppError('rate_limited', `An account can have ${streamsPerAccountMax} streams open.`, {
        retryAfter: checkMs / secondMs,
      })
    }
    open.add(accountId, 1)
    size++
    replies.add(reply)
    reply.raw.once('close', () => {
      size--
      replies.delete(reply)
      open.add(accountId, -1)
    })
  }
  const announceRestart = () => {
    for (const { raw } of replies)
      if (raw.headersSent) raw.write(`retry: ${Math.round(Math.random() * reconnectIntervalMs)}\n\n`)
  }
  return {
    take,
    announceRestart,
    get size() {
      return size
    },
  }
}

/** Prepares a stream. It ends with its credentials, which are checked again before each notification. */
export async function startListening(
  ctx: Context,
  actor: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Listening> {
  requireAllowed(actor, 'memory:read')
  const token = bearerOf(request.headers.authorization) ?? ''
  const isAllowed = async () => {
    try {
      await confirmActor(ctx, token, actor)
      return true
    } catch (error) {
      // A failing database is no reason to reject anyone.
      if (!(error instanceof AppError)) return true
      reply.raw.destroy()
      return false
    }
  }
  const unwatch = watchCredentials(ctx, { token, actor, right: 'memory:read' }, checkMs, () =>
    reply.raw.destroy(),
  )
  reply.raw.once('close', unwatch)
  return { seq: await ctx.changes.currentSeq(actor), isAllowed }
}

/**
 * Delivers only the changes of the listening account. `caller` returns that account while a stream is
 * opened.
 */
export function createAccountBus(
  ctx: Context,
  caller: () => { actor: Actor; listening: Listening | undefined } | undefined,
): ServerEventBus {
  return {
    publish() {},
    subscribe(listener) {
      const { actor, listening } = caller() ?? {}
      if (actor === undefined || listening === undefined) return () => {}
      const tell = (uri: string) => listener({ kind: 'resource_updated', uri })
      return watchResources(ctx, actor, listening.seq, tell, listening.isAllowed)
    },
  }
}
