import { setTimeout as sleep } from 'node:timers/promises'
import { ClientMessage, rightOfMessage, type ServerReply } from '@loci/contract/realtime'
import WebSocket, { type RawData } from 'ws'
import { z } from 'zod'
import type { News } from '../../features/proposals/proposal-news.service.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { toAppError } from '../../ground/errors/to-app-error.ts'
import { inPlainWords, toValidationError } from '../../ground/errors/validation-error.ts'
import { toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { confirmActor } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import type { FollowNews } from './news-room.ts'
import type { EventMaker } from './outgoing-events.ts'
import type { FollowProposals } from './proposal-feeds.ts'

const entitiesPerConnectionMax = 1_000
/** A replay pauses while more than this is buffered for the client. */
const replayBufferBytesMax = 256 * 1024
const replayLookMs = 20

/** Codes of RFC 6455 and of its registry. */
const policyViolationCode = 1008
const tryAgainLaterCode = 1013

export const slowClientNote = 'A realtime client that does not keep up was dropped'

export type ConnectionLimits = {
  /** A client with more than this unread is dropped. */
  bufferBytesMax: number
  /** Time that a client has to respond to a close. */
  closeGraceMs: number
}

/** What is read once for all connections of a space. */
export type Sources = { makeEvents: EventMaker; followNews: FollowNews; followProposals: FollowProposals }

const Identified = z.object({ id: z.string().max(128) })
type Reply<T extends ServerReply['type']> = Extract<ServerReply, { type: T }>['payload']

/** One client: its subscriptions and outgoing messages. */
export class Connection {
  readonly token: string
  readonly actor: Actor
  #ctx: Context
  #socket: WebSocket
  #limits: ConnectionLimits
  #sources: Sources
  #alive = true
  #inbox: Promise<void> = Promise.resolve()
  #waiting = 0
  #wantsGraph = false
  #entityIds = new Set<string>()
  #unsubscribe: (() => void) | undefined
  #leaveNews: (() => void) | undefined
  #leaveProposals: (() => void) | undefined

  constructor(
    ctx: Context,
    socket: WebSocket,
    caller: { actor: Actor; token: string },
    sources: Sources,
    limits: ConnectionLimits,
  ) {
    this.#ctx = ctx
    this.#socket = socket
    this.actor = caller.actor
    this.token = caller.token
    this.#sources = sources
    this.#limits = limits
    socket.on('pong', () => {
      this.#alive = true
    })
    socket.on('message', (data) => this.#enqueue(() => this.#answer(data)))
    socket.on('close', () => this.#leave())
    // Errors are followed by a close, which is handled.
    socket.on('error', () => {})
    this.#enqueue(async () => this.#reply('connected', { seq: await ctx.changes.currentSeq(this.actor) }))
  }

  /** Drops a client that did not answer the last ping; otherwise pings it. */
  beat(): void {
    if (this.#alive) this.#socket.ping()
    else this.#socket.terminate()
    this.#alive = false
  }

  /** Closes the connection; terminates it if the client takes too long to respond. */
  close(code: number, reason: string): void {
    this.#leave()
    this.#socket.close(code, reason)
    setTimeout(() => this.#socket.terminate(), this.#limits.closeGraceMs).unref()
  }

  closeUnauthorized(): void {
    this.close(policyViolationCode, 'The credentials are no longer valid')
  }

  /** Runs work one at a time and in order; reading from the client pauses meanwhile. */
  #enqueue(work: () => Promise<void>): void {
    this.#waiting += 1
    this.#socket.pause()
    this.#inbox = this.#inbox
      .then(work)
      .catch((error) => this.#replyError(error))
      .then(() => {
        this.#waiting -= 1
        if (this.#waiting === 0) this.#socket.resume()
      })
  }

  /** The only catch for messages; answers carry the message's id. */
  async #answer(data: RawData): Promise<void> {
    let id: string | undefined
    try {
      const json = parseJson(data)
      id = Identified.safeParse(json).data?.id
      const parsed = ClientMessage.safeParse(json, inPlainWords)
      if (!parsed.success) throw toValidationError(parsed.error)
      requireAllowed(this.actor, rightOfMessage[parsed.data.type] ?? 'credential')
      await this.#obey(parsed.data, id)
    } catch (error) {
      this.#replyError(error, id)
    }
  }

  async #obey(message: ClientMessage, id: string | undefined): Promise<void> {
    switch (message.type) {
      case 'ping':
        return this.#reply('pong', {}, id)
      case 'subscribe_to_graph_changes':
        return this.#subscribeToGraph(message.payload.since, id)
      case 'subscribe_to_entity':
        return this.#subscribeToEntity(message.payload.entityId, id)
      case 'unsubscribe_from_entity':
        this.#entityIds.delete(message.payload.entityId)
        if (!this.#wantsGraph && this.#entityIds.size === 0) this.#stopListening()
        return this.#reply('unsubscribed', { entityId: message.payload.entityId }, id)
    }
  }

  async #subscribeToGraph(since: number | undefined, id: string | undefined): Promise<void> {
    const seq = await this.#seqForSubscriber()
    this.#wantsGraph = true
    await this.#followNews()
    this.#reply('subscribed', { seq }, id)
    if (since !== undefined) this.#stopListening()
    this.#listen(Math.min(since ?? seq, seq))
  }

  async #subscribeToEntity(entityId: string, id: string | undefined): Promise<void> {
    const seq = await this.#seqForSubscriber()
    if (this.#entityIds.size >= entitiesPerConnectionMax && !this.#entityIds.has(entityId)) {
      throw new AppError(
        'validation_failed',
        `One connection can follow at most ${entitiesPerConnectionMax} entities`,
      )
    }
    this.#entityIds.add(entityId)
    this.#reply('subscribed', { entityId, seq }, id)
    this.#listen(seq)
  }

  /** The current position of the log, if the client can still read it. */
  async #seqForSubscriber(): Promise<number> {
    requireAllowed(await confirmActor(this.#ctx, this.token, this.actor), 'memory:read')
    return this.#ctx.changes.currentSeq(this.actor)
  }

  #listen(seq: number): void {
    if (this.#unsubscribe !== undefined || !this.#isOpen) return
    let stopped = false
    const remove = this.#ctx.changes.subscribe(this.actor, seq, {
      receive: async (changes) => {
        const events = await this.#sources.makeEvents(this.actor, changes)
        for (const { data, entityIds } of events) {
          if (stopped) return
          if (this.#wantsGraph || entityIds.some((id) => this.#entityIds.has(id))) this.#send(data)
        }
      },
      ready: () => this.#drained(),
    })
    this.#unsubscribe = () => {
      stopped = true
      remove()
    }
  }

  async #followNews(): Promise<void> {
    if (this.#leaveNews !== undefined || !this.#isOpen) return
    const { ready, leave } = this.#sources.followNews(this.actor, (data) => this.#send(data))
    this.#leaveNews = leave
    await ready
    const proposals = this.#sources.followProposals(this.actor, (news) => this.#tellOfProposals(news))
    this.#leaveProposals = proposals.leave
    await proposals.ready
  }

  /** Only reviewers and the proposer hear of a proposal, by the rights that they have now. */
  async #tellOfProposals(news: readonly News[]): Promise<void> {
    try {
      const { accountId, spaceId } = this.actor
      const caller = await confirmActor(this.#ctx, this.token, this.actor)
      const { newsFor } = await import('../../features/proposals/proposal-news.service.ts')
      const heard = await newsFor(this.#ctx, { ...caller, accountId, spaceId }, news)
      for (const message of heard) this.#send(Buffer.from(JSON.stringify(message)))
    } catch (error) {
      this.#replyError(error)
    }
  }

  #stopListening(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  #leave(): void {
    this.#stopListening()
    this.#leaveNews?.()
    this.#leaveProposals?.()
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  async #drained(): Promise<void> {
    while (this.#isOpen && this.#socket.bufferedAmount > replayBufferBytesMax) await sleep(replayLookMs)
  }

  #replyError(error: unknown, id?: string): void {
    const requestId = this.#ctx.newId('req')
    const known = toAppError(this.#ctx, error, requestId)
    if (known.status >= 500) this.#ctx.log.error({ err: known.cause ?? known, requestId }, known.message)
    if (known.code === 'not_authenticated' || known.code === 'space_not_found') this.closeUnauthorized()
    else this.#reply('error', { code: known.code, message: known.message }, id)
  }

  #reply<T extends ServerReply['type']>(type: T, payload: Reply<T>, id = this.#ctx.newId('msg')): void {
    this.#send(Buffer.from(JSON.stringify({ id, type, payload, timestamp: toIso(this.#ctx.now()) })))
  }

  #send(data: Buffer): void {
    if (!this.#isOpen) return
    if (this.#socket.bufferedAmount <= this.#limits.bufferBytesMax) {
      this.#socket.send(data, { binary: false })
      return
    }
    this.#ctx.log.info({ accountId: this.actor.accountId }, slowClientNote)
    this.close(tryAgainLaterCode, 'Too slow')
  }
}

function parseJson(data: RawData): unknown {
  try {
    return JSON.parse(data.toString())
  } catch {
    throw new AppError('malformed_json', 'The message is not valid JSON')
  }
}
