import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { bodyBytesMax } from '@loci/contract/endpoint'
import type { NodeMcpRequestHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type ProtocolEra,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '../../ground/errors/app-error.ts'
import type { OnGone } from '../../ground/lib/call-queue.ts'
import { mcpPath, spacePathPrefix } from '../../ground/mcp-path.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAgent } from '../../tenancy/usage/record-agent.ts'
import { authenticateRequest, callerOf, type SpaceOf } from '../http/credentials.ts'
import { beginRefusal } from '../http/errors.ts'
import { bothKinds, takesBothKinds, takesJson } from './accept.ts'
import { requireScope, sendChallenge } from './challenge.ts'
import { sessionIdFor, withProgram } from './client-name.ts'
import {
  createAccountBus,
  createStreams,
  isListen,
  type Listening,
  type Streams,
  startListening,
} from './listen.ts'
import { type Profile, profileOf } from './profiles.ts'
import { toQuickCall } from './quick-call.ts'
import { callTool, createMcpServer } from './server.ts'

const subscriptionsMax = 4_096
/** The SDK handles a batch in one piece. */
const messagesPerBatchMax = 100

/** The sender of a request, and details that the SDK does not pass on. */
type Caller = { actor: Actor; listening: Listening | undefined; mayStream: boolean; profile: Profile }

/** Extends a server before it serves. */
export type ExtendMcp = (server: Server) => Server

/**
 * Streamable HTTP, stateless: protocol 2026-07-28 and the older ones at one address, with a new server
 * per request. Every method requires bearer credentials, so that a client that probes with GET learns
 * what is missing. `extend` can extend each server before it serves; the conformance tests add their
 * fixtures with it. Returns the open streams.
 */
export function registerMcp(
  app: FastifyInstance,
  ctx: Context,
  extend: ExtendMcp = (server) => server,
): Streams {
  // The SDK passes only its own form of credentials to the factory, so ours travel beside the request.
  const caller = new AsyncLocalStorage<Caller>()
  const newServer = (era: ProtocolEra) => {
    const { actor, profile } = caller.getStore()!
    return extend(createMcpServer(ctx, actor, era, { profile }))
  }
  const handler = createMcpHandler(({ era }) => newServer(era), {
    bus: createAccountBus(ctx, () => caller.getStore()),
    maxSubscriptions: subscriptionsMax,
    onerror: (error) => ctx.log.warn({ err: error }, 'mcp'),
  })
  const answer: typeof handler.fetch = async (request, options) =>
    caller.getStore()!.mayStream || !(await isLegacyRequest(request, options?.parsedBody))
      ? handler.fetch(request, options)
      : serveAsJson(newServer('legacy'), request, options)
  const fetch: typeof handler.fetch = async (request, options) => {
    const response = await answer(request, options)
    // The SDK lets caches store streams if they revalidate each time.
    response.headers.set('cache-control', 'no-store, no-transform')
    return response
  }
  let serving: Promise<NodeMcpRequestHandler> | undefined
  /** The Node adapter loads `fetch`, which is large; startup and plain calls do without it. */
  const loadAdapter = async () => {
    const { toNodeHandler } = await import('@modelcontextprotocol/node')
    return toNodeHandler({ fetch }, { onerror: (error) => ctx.log.error({ err: error }, 'mcp') })
  }
  const streams = createStreams()
  const listen = (actor: Actor, request: FastifyRequest, reply: FastifyReply) => {
    streams.take(actor.accountId, reply)
    return startListening(ctx, actor, request, reply)
  }

  const route: Omit<RouteOptions, 'url'> = {
    method: ['GET', 'POST', 'DELETE'],
    bodyLimit: bodyBytesMax,
    errorHandler: (error, request, reply) => {
      const refusal = beginRefusal(ctx, error, request, reply)
      sendChallenge(ctx.config, refusal, request, reply)
      return reply.send(toRpcError(refusal))
    },
    onRequest: (request) => authenticateRequest(ctx, request, inPath),
    handler: async (request, reply) => {
      const unnamed = await callerOf(ctx, request, reply, inPath)
      const actor = withProgram(unnamed, request.headers, request.body)
      const messages = messagesIn(request.body)
      if (messages > messagesPerBatchMax)
        throw new AppError('validation_failed', `A batch has at most ${messagesPerBatchMax} messages`)
      ctx.burstLimit.admit(actor.accountId, request.bodyBytes, messages)
      // Not awaited: a write may have to wait for others, and the call may only read.
      void recordAgent(ctx, actor)
      requireScope(actor, request.body)
      const quick = toQuickCall(request)
      if (quick !== undefined) {
        request.tool = quick.tool.name
        const onGone: OnGone = (leave) => reply.raw.once('close', leave)
        const result = await callTool(ctx, quick.callerOf(actor), quick, onGone)
        return reply.send(quick.toAnswer(result))
      }
      const listening = isListen(request.body) ? await listen(actor, request, reply) : undefined
      const sessionId = sessionIdFor(request.headers, request.body)
      if (sessionId !== undefined) void reply.header('mcp-session-id', sessionId)
      serving ??= loadAdapter()
      const serve = await serving
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!)
      reply.hijack()
      await caller.run({ actor, listening, mayStream: mayStream(request), profile: profileOf(request) }, () =>
        serve(request.raw as IncomingMessage & { method: string; url: string }, reply.raw, request.body),
      )
    },
  }
  for (const url of [mcpPath, `${mcpPath}/`, `${spacePathPrefix}:space`]) app.route({ ...route, url })
  app.addHook('preClose', () => {
    streams.announceRestart()
    return handler.close()
  })
  return streams
}

/** The space in the path. */
const inPath: SpaceOf = { named: ({ params }) => Reflect.get(Object(params), 'space') }

/** A batch (older protocols only) counts as one call per message. */
const messagesIn = (body: unknown) => (Array.isArray(body) ? Math.max(1, body.length) : 1)

/**
 * Whether the response can be a stream. The SDK refuses clients of the older protocols that do not
 * accept both JSON and streams; if a client accepts JSON, we set the header for it.
 */
function mayStream({ method, raw: { headers } }: FastifyRequest): boolean {
  if (method !== 'POST' || takesBothKinds(headers.accept) || !takesJson(headers.accept)) return true
  headers.accept = bothKinds
  return false
}

/**
 * Serves one request of an older protocol with a plain JSON response, for a client that does not accept
 * streams; the SDK's own handler responds with a stream.
 */
async function serveAsJson(
  server: Server,
  ...[request, options]: Parameters<McpHttpHandler['fetch']>
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, options)
  } finally {
    await server.close()
  }
}

/** The JSON-RPC code reserved for server errors, for refusals without a code of their own. */
const serverError = -32_000

/** The body of a refusal at the HTTP level, which can come before there is a request with an id. */
export function toRpcError(error: AppError): object {
  const { code, message, details } = error
  const data = { code, ...(details === undefined ? {} : { details }) }
  return { jsonrpc: '2.0', id: null, error: { code: rpcCodeOf(error), message, data } }
}

function rpcCodeOf({ code, status }: AppError): number {
  if (code === 'malformed_json') return ProtocolErrorCode.ParseError
  if (code === 'validation_failed') return ProtocolErrorCode.InvalidRequest
  return status === 500 ? ProtocolErrorCode.InternalError : serverError
}
