import type { Readable } from 'node:stream'
import { type Api, api, type OperationId } from '@loci/contract/api'
import { changeSetHeader } from '@loci/contract/changes'
import {
  type BodyOutput,
  type Endpoint,
  type Operation,
  operationOf,
  type ParamsOf,
  type QueryOutput,
  type ResponseBody,
} from '@loci/contract/endpoint'
import { isStorableText } from '@loci/contract/text'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { withReserve } from '../db/disk-reserve.ts'
import { AppError } from '../errors/app-error.ts'
import { toValidationError } from '../errors/validation-error.ts'
import { endTurn } from '../lib/call-turns.ts'
import { toId } from '../lib/ids.ts'
import { runOperation } from '../usage/run-operation.ts'
import { takeJsonAsStream } from './bodies.ts'
import { authenticateRequest, callerOf, type SpaceOf } from './credentials.ts'
import { withIdempotency } from './idempotency.ts'

/** What a handler gets: everything validated; `actor` where the endpoint is not public. */
export type Call<E extends Endpoint> = {
  ctx: Context
  actor: E['access'] extends 'public' ? undefined : Actor
  params: ParamsOf<E>
  query: QueryOutput<E>
  body: BodyOutput<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** The JSON of the answer, or a stream of what the endpoint produces. */
type Answer<E extends Endpoint> = E['produces'] extends string ? Readable | Buffer : ResponseBody<E>

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>>

/** Handlers by operation id. All features together must have one for each operation of the contract. */
export type Handlers<Id extends OperationId = OperationId> = { [K in Id]: Handler<Api[K]> }

/** What anybody may send: sign-up and sign-in fit in many times over. */
const publicBodyBytesMax = 64 * 1024

/** Registers a route for each endpoint of the contract. */
export function registerRoutes(app: FastifyInstance, ctx: Context, handlers: Partial<Handlers>): void {
  for (const [id, endpoint] of Object.entries<Endpoint>(api)) {
    const handle = handlers[id as OperationId] as unknown as Handler<Endpoint> | undefined
    if (handle === undefined) continue
    const operation = operationOf(endpoint)
    const route: RouteOptions = {
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.consumes === undefined
        ? {}
        : { config: { consumes: endpoint.consumes }, bodyLimit: Number.MAX_SAFE_INTEGER }),
      ...(endpoint.access === 'public'
        ? { bodyLimit: publicBodyBytesMax }
        : { onRequest: (request: FastifyRequest) => authenticateRequest(ctx, request, spaceOf(endpoint)) }),
      handler: isEssential(id, endpoint)
        ? (request, reply) => withReserve(() => serve(ctx, { endpoint, operation, handle }, request, reply))
        : (request, reply) => serve(ctx, { endpoint, operation, handle }, request, reply),
    }
    if (endpoint.consumes === undefined) app.route(route)
    else {
      // In a scope of its own, whose parsers leave all bodies unread.
      app.register(async (scope) => {
        takeJsonAsStream(scope)
        scope.route(route)
      })
    }
  }
}

/** Only what reads, writes or erases in a graph needs to know which; the rest works whatever space is named. */
const spaceOf = ({ access, tag, spaceless = false }: Endpoint): SpaceOf => ({
  spaceless: spaceless || !(access.startsWith('memory:') || tag === 'Entities'),
})

/** What has to work when the disk is full: to sign in and out, to change what proves who one is, and to delete. */
function isEssential(id: string, { method }: Endpoint): boolean {
  return method === 'DELETE' || essential.has(id)
}

const essential = new Set<string>([
  'login',
  'finishLogin',
  'loginWithPasskey',
  'logout',
  'changePassword',
  'confirmPasswordReset',
  'rollPersonalKey',
] satisfies OperationId[])

type Route = { endpoint: Endpoint; operation: Operation | undefined; handle: Handler<Endpoint> }

async function serve(
  ctx: Context,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { operation } = route
  if (operation === undefined) return answer(ctx, route, undefined, request, reply)
  const actor = await callerOf(ctx, request, reply, spaceOf(route.endpoint))
  ctx.burstLimit(actor.accountId, request.bodyBytes)
  const run = async (counted: Actor) => {
    if (waitsForOthers(route.endpoint)) endTurn()
    return answer(ctx, route, counted, request, reply)
  }
  return runOperation(ctx, actor, operation, run, (leave) => reply.raw.once('close', leave))
}

async function answer(
  ctx: Context,
  { endpoint, handle }: Route,
  actor: Actor | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  requireStorable(request.params)
  requireStorable(request.query)
  const query = parse(endpoint.query, request.query, 'query')
  const body = parse(endpoint.body, request.body, 'body')
  const run = (inner: Context) =>
    handle({
      ctx: inner,
      actor: actor as never,
      params: request.params as never,
      query,
      body,
      request,
      reply,
    })
  reply.code(endpoint.status)
  if (endpoint.produces !== undefined) reply.type(endpoint.produces)
  const { remote = false, secret = false } = endpoint
  const result =
    actor === undefined || !happensOnce(endpoint)
      ? await run(ctx)
      : await withIdempotency(ctx, { actor, request, reply, remote, secret }, run)
  if (actor?.operation?.setSeq !== undefined)
    reply.header(changeSetHeader, toId('set', actor.operation.setSeq))
  // Sending lasts as long as the client takes to read.
  endTurn()
  return reply.sent ? reply : reply.send(result)
}

/** Streams in at the client's pace, or asks another system. */
const waitsForOthers = ({ consumes, remote = false }: Endpoint) => consumes !== undefined || remote

/**
 * Reads may be repeated. A stream cannot be compared with the one that came before; a `PUT` may be repeated, so nobody
 * needs its secrets.
 */
function happensOnce({ method, reads = false, consumes, secret = false }: Endpoint): boolean {
  return method !== 'GET' && !reads && consumes === undefined && !(method === 'PUT' && secret)
}

/** Parts of an address reach the database as they are. A NUL or a lone surrogate would be an error there. */
function requireStorable(parts: unknown): void {
  for (const value of Object.values(parts ?? {})) {
    if (Array.isArray(value) ? value.every(isStorable) : isStorable(value)) continue
    throw new AppError('validation_failed', 'The address must not contain NUL characters')
  }
}

const isStorable = (value: unknown) => typeof value !== 'string' || isStorableText(value)

function parse<S extends z.ZodType | undefined>(schema: S, value: unknown, where: string): never {
  if (schema === undefined) return undefined as never
  const parsed = schema.safeParse(value ?? (where === 'query' ? {} : undefined))
  if (parsed.success) return parsed.data as never
  throw toValidationError(parsed.error)
}
