import type { Readable } from 'node:stream'
import { type Api, api, type OperationId } from '@loci/contract/api'
import { changeSetHeader } from '@loci/contract/changes'
import {
  type BodyOutput,
  type Endpoint,
  type Operation,
  operationOf,
  type ParamsOf,
  plainBodyBytesMax,
  type QueryOutput,
  type ResponseBody,
} from '@loci/contract/endpoint'
import { proposalHeader } from '@loci/contract/proposals'
import { isStorableText } from '@loci/contract/text'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../../ground/errors/app-error.ts'
import { inPlainWords, type Problems, toValidationError } from '../../ground/errors/validation-error.ts'
import { endSlot } from '../../ground/lib/call-queue.ts'
import { toId } from '../../ground/lib/ids.ts'
import { withReserve } from '../../store/disk-reserve.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { importNotProposable, notProposable } from '../../tenancy/auth/reviewing.ts'
import type { Context } from '../../tenancy/context.ts'
import { runOperation, runUncounted } from '../../tenancy/usage/run-operation.ts'
import { takeJsonAsStream } from './bodies.ts'
import { authenticateRequest, callerOf, type SpaceOf } from './credentials.ts'
import { withIdempotency } from './idempotency.ts'

/** The input of a handler, fully validated; `actor` is absent for public endpoints. */
export type Call<E extends Endpoint> = {
  ctx: Context
  actor: E['access'] extends 'public' ? undefined : Actor
  params: ParamsOf<E>
  query: QueryOutput<E>
  body: BodyOutput<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** The JSON response, or a stream if the endpoint produces one. */
type Answer<E extends Endpoint> = E['produces'] extends string ? Readable | Buffer : ResponseBody<E>

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>>

/** Handlers by operation id. All features together must provide one for each operation of the contract. */
export type Handlers = { [Id in OperationId]: Handler<Api[Id]> }

/** Registers a route for each endpoint of the contract. */
export function registerRoutes(app: FastifyInstance, ctx: Context, handlers: Handlers): void {
  for (const [id, endpoint] of Object.entries<Endpoint>(api)) {
    const handle = handlers[id as OperationId] as unknown as Handler<Endpoint>
    const served: Route = { endpoint, operation: operationOf(endpoint), handle, space: spaceOf(endpoint) }
    const route: RouteOptions = {
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.consumes === undefined
        ? { bodyLimit: endpoint.bodyBytesMax ?? plainBodyBytesMax }
        : { config: { consumes: endpoint.consumes }, bodyLimit: Number.MAX_SAFE_INTEGER }),
      ...(endpoint.access === 'public'
        ? {}
        : { onRequest: (request: FastifyRequest) => authenticateRequest(ctx, request, served.space) }),
      handler: isEssential(id, endpoint)
        ? (request, reply) => withReserve(() => serve(ctx, served, request, reply))
        : (request, reply) => serve(ctx, served, request, reply),
    }
    if (endpoint.consumes === undefined) app.route(route)
    else {
      // In a separate scope, whose parsers leave all bodies unread.
      app.register(async (scope) => {
        takeJsonAsStream(scope)
        scope.route(route)
      })
    }
  }
}

/** Only calls that read, write or erase in a graph need a space; the others ignore the one named. */
const spaceOf = ({ access, tag, spaceless = false }: Endpoint): SpaceOf => ({
  spaceless: spaceless || !(/^(?:memory|conversations):/.test(access) || tag === 'Entities'),
})

/** Calls that must work when the disk is full: signing in and out, changing credentials, and deleting. */
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

type Route = {
  endpoint: Endpoint
  operation: Operation | undefined
  handle: Handler<Endpoint>
  space: SpaceOf
}

async function serve(
  ctx: Context,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { operation } = route
  if (operation === undefined) return answer(ctx, route, undefined, request, reply)
  const actor = await callerOf(ctx, request, reply, route.space)
  ctx.burstLimit.admit(actor.accountId, request.bodyBytes)
  const run = (counted: Actor) => {
    if (waitsForOthers(route.endpoint)) endSlot()
    return answer(ctx, route, counted, request, reply)
  }
  // People in the browser look and edit at no cost; what keys and apps do are the plan's operations.
  const runCall = actor.kind === 'session' || route.endpoint.uncounted ? runUncounted : runOperation
  return runCall(ctx, actor, operation, run, (leave) => reply.raw.once('close', leave))
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
  prepareToPropose(endpoint, actor, { params: request.params, body })
  const run = async (inner: Context) => {
    const call = { params: request.params as never, query, body, request, reply }
    const answer = await handle({ ctx: inner, actor: actor as never, ...call })
    if (actor?.operation?.proposalId === undefined) return answer
    const { markProposed } = await import('./mark-proposed.ts')
    return markProposed(answer, actor.operation)
  }
  reply.code(endpoint.status)
  if (endpoint.produces !== undefined) reply.type(endpoint.produces)
  const { remote = false, secret = false } = endpoint
  const result =
    actor === undefined || !happensOnce(endpoint)
      ? await run(ctx)
      : await withIdempotency(ctx, { actor, request, body, reply, remote, secret }, run)
  if (actor?.operation?.setSeq !== undefined)
    reply.header(changeSetHeader, toId('set', actor.operation.setSeq))
  if (actor?.operation?.proposalId !== undefined) reply.header(proposalHeader, actor.operation.proposalId)
  // Sending takes as long as the client reads.
  endSlot()
  if (!reply.sent) void reply.send(result)
  // A reply is a promise of its end, which only streams need to wait for.
  return reply.sent ? undefined : reply
}

/** Lets the write of a call be proposed. Throws `not_proposable` if these credentials only propose and it cannot be. */
function prepareToPropose(
  { access, consumes, proposable = false, reads = false }: Endpoint,
  actor: Actor | undefined,
  input: unknown,
): void {
  if (proposable && actor?.operation !== undefined) actor.operation.input = input
  if (actor?.writes === 'propose' && access === 'memory:write' && !proposable && !reads)
    throw consumes === undefined ? notProposable() : importNotProposable()
}

/** Reads a stream at the client's pace, or calls another system. */
const waitsForOthers = ({ consumes, remote = false }: Endpoint) => consumes !== undefined || remote

/**
 * Whether a repeated call must not run again. Reads can be repeated. A stream cannot be compared with the previous
 * one. A `PUT` can be repeated, so its secrets need not be stored.
 */
function happensOnce({ method, reads = false, consumes, secret = false }: Endpoint): boolean {
  return method !== 'GET' && !reads && consumes === undefined && !(method === 'PUT' && secret)
}

/** Parts of a URL reach the database unchanged, where a NUL or a lone surrogate would be an error. */
function requireStorable(parts: unknown): void {
  for (const value of Object.values(parts ?? {})) {
    if (Array.isArray(value) ? value.every(isStorable) : isStorable(value)) continue
    throw new AppError('validation_failed', 'The address must not contain NUL characters')
  }
}

const isStorable = (value: unknown) => typeof value !== 'string' || isStorableText(value)

function parse<S extends z.ZodType | undefined>(schema: S, value: unknown, where: string): never {
  if (schema === undefined) return undefined as never
  const parsed = schema.safeParse(value ?? (where === 'query' ? {} : undefined), inPlainWords)
  if (parsed.success) return parsed.data as never
  throw toValidationError(where === 'query' ? tellingRepeated(parsed.error, value) : parsed.error)
}

/** Query parameters that are sent twice arrive as a list, which none of them takes. */
function tellingRepeated({ issues }: Problems, query: unknown): Problems {
  const isRepeated = ([name = '']: PropertyKey[]) => Array.isArray(Reflect.get(Object(query), name))
  return {
    issues: issues.map((one) =>
      isRepeated(one.path) ? { ...one, message: 'Is given more than once' } : one,
    ),
  }
}

/** The `ETag` of a version. */
export const etagOf = (version: number) => `"${version}"`

/** Reads `If-Match` (RFC 9110, section 13.1.1): `*` or a list of tags; undefined if the caller sent none. */
export function versionTest(ifMatch: string | undefined): ((version: number) => boolean) | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return (version) => tags.includes(etagOf(version))
}
