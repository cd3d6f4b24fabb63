import {
  type CallToolResult,
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import { isAnythingSaid } from '../../features/conversations/search-turns.ts'
import { AppError, toErrorBody } from '../../ground/errors/app-error.ts'
import { toAppError } from '../../ground/errors/to-app-error.ts'
import type { OnGone } from '../../ground/lib/call-queue.ts'
import { openSpan, toolAnswered } from '../../ground/telemetry/events.ts'
import { memoryOperation } from '../../ground/telemetry/memory-operations.ts'
import { version } from '../../ground/version.ts'
import { type Actor, toLogFields } from '../../tenancy/auth/actor.ts'
import { hasRight, requireAllowed } from '../../tenancy/auth/permissions.ts'
import { listReachableSpaces, nameOfSpace } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { runOperation, runUncounted } from '../../tenancy/usage/run-operation.ts'
import { withPlaces } from './answer-places.ts'
import { asShown } from './as-shown.ts'
import { CheckedServer } from './checked-server.ts'
import { clientOf, withClient } from './client-name.ts'
import { complete } from './completions.ts'
import { capabilitiesOf, drawsAnswer, graphViewUri, readGraphView, showsViews } from './graph-view.ts'
import { instructionsFor } from './instructions.ts'
import { findTool, type Profile, toolsIn } from './profiles.ts'
import { getPrompt, listPrompts, requirePrompt } from './prompts.ts'
import { listedResources, listedTemplates, readResource } from './resources.ts'
import { handleSkills, readSkill, skillsExtension } from './skills.ts'
import { type Tool, ToolInputError } from './tool.ts'

/** Key in `_meta`, as the protocol reserves it, for our error code and details beside the text. */
const errorMetaKey = 'dev.loci/error'

/** Key in `_meta` with which a hook marks a read that it makes by itself. */
const checkMetaKey = 'dev.loci/check'

/** A message may repeat the input. */
const errorCharactersMax = 4_000

/** The right required to read and subscribe to resources and to complete arguments. */
export const resourcesRight = 'memory:read'
const graphRead = { requires: resourcesRight, type: 'query', resource: 'graph' } as const
export const unchanging = { ttlMs: 300_000, cacheScope: 'public' } as const
/** Depends on the rights of the caller. */
const unchangingForCaller = { ttlMs: 300_000, cacheScope: 'private' } as const

/** The tools that a caller can call, in list order. */
async function toolsOf(ctx: Context, actor: Actor, profile: Profile): Promise<Tool[]> {
  const hasSpaces = actor.spaceCount !== 1 && (await listReachableSpaces(ctx, actor)).length > 1
  const hasConversations = hasRight(actor, 'conversations:read') && (await isAnythingSaid(ctx, actor))
  return toolsIn(profile).filter(
    ({ right, onlyWithSpaces, onlyWithConversations }) =>
      hasRight(actor, right) &&
      (hasSpaces || !onlyWithSpaces) &&
      (hasConversations || !onlyWithConversations),
  )
}

/** How we introduce ourselves to clients. */
export const serverInfo = {
  name: 'loci',
  title: 'Loci',
  version,
  description: 'Persistent memory for AI agents',
}

/**
 * Our capabilities and cache hints; the lists never change while a process runs. `tellsUpdates` means
 * that the client can be notified of updates of resources.
 */
export const serverOptions = (tellsUpdates: boolean, mayWrite = true): ServerOptions => ({
  capabilities: {
    tools: { listChanged: false },
    resources: { listChanged: false, ...(tellsUpdates ? { subscribe: true } : {}) },
    prompts: { listChanged: false },
    completions: {},
    extensions: { [skillsExtension]: {} },
  },
  instructions: instructionsFor(mayWrite),
  cacheHints: {
    'tools/list': unchangingForCaller,
    'prompts/list': unchangingForCaller,
    'resources/list': unchanging,
    'resources/templates/list': unchanging,
    'resources/read': { ttlMs: 0, cacheScope: 'private' },
    'server/discover': unchangingForCaller,
  },
})

/** Options of a server for a whole connection. */
export type ConnectionOptions = {
  /** Subscriptions of a client of an older era; in the newest era the SDK keeps them. */
  subscriptions?: Set<string>
  /** Awaited before a subscription of a client of an older era is confirmed. */
  onSubscribe?: () => Promise<void>
  /** Resolves when the memory can be used. */
  ready?: Promise<void>
  profile?: Profile
}

/**
 * A server for one exchange (HTTP) or one connection (stdio). Low-level on purpose: the high-level one
 * generates JSON Schemas for every request, which is most of the cost of a call.
 */
export function createMcpServer(
  ctx: Context,
  actor: Actor,
  era: ProtocolEra,
  { subscriptions, onSubscribe, ready, profile }: ConnectionOptions = {},
): Server {
  const tellsUpdates = era === 'modern' || subscriptions !== undefined
  const server = new CheckedServer(serverInfo, serverOptions(tellsUpdates, hasRight(actor, 'memory:write')))
  server.setRequestHandler('tools/list', async (_request, request) => {
    await ready
    const hasViews = showsViews(capabilitiesOf(server, request)) && readGraphView(ctx.config.webDir)
    const listed = (tool: Tool) => (hasViews ? tool.listedWithView : tool.listed)
    return { tools: (await toolsOf(ctx, actor, profile)).map(listed) }
  })
  server.setRequestHandler('tools/call', async ({ params }, request) => {
    const tool = findTool(params.name, profile)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    await ready
    const caller = withClient(actor, clientOf(server, request))
    const isCheck = isCheckIn(params._meta)
    const hasPicture = drawsAnswer(tool, capabilitiesOf(server, request))
    const call = { tool, args: params.arguments, isCheck, hasPicture }
    return callTool(ctx, caller, call, goneBy(request.mcpReq.signal))
  })
  server.setRequestHandler('resources/list', () => ({ resources: listedResources }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: listedTemplates }))
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq: { signal } }) => {
    const view = params.uri === graphViewUri ? readGraphView(ctx.config.webDir) : readSkill(params.uri)
    if (view !== undefined) return { contents: [view] }
    await ready
    const read = () => readResource(ctx, actor, params.uri)
    return { contents: [await runRead(ctx, actor, 'resources/read', read, signal)] }
  })
  server.setRequestHandler('prompts/list', () => ({
    prompts: listPrompts((right) => hasRight(actor, right)),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const { right } = requirePrompt(params.name)
    asProtocolError(ctx, actor, 'prompts/get', () => requireAllowed(actor, right))
    return getPrompt(params.name, params.arguments)
  })
  server.setRequestHandler('completion/complete', async ({ params }, { mcpReq: { signal } }) => {
    await ready
    const read = () => complete(ctx, actor, params)
    return { completion: await runRead(ctx, actor, 'completion/complete', read, signal) }
  })
  handleSkills(server, era === 'modern' ? unchanging : {})
  if (subscriptions !== undefined) handleSubscriptions(ctx, actor, server, { subscriptions, onSubscribe })
  return server
}

/** The SDK aborts calls whose client cancels them or disconnects. */
const goneBy =
  (signal: AbortSignal): OnGone =>
  (leave) =>
    signal.addEventListener('abort', leave, { once: true })

function handleSubscriptions(
  ctx: Context,
  actor: Actor,
  server: Server,
  {
    subscriptions,
    onSubscribe,
  }: { subscriptions: Set<string>; onSubscribe?: ConnectionOptions['onSubscribe'] },
): void {
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    asProtocolError(ctx, actor, 'resources/subscribe', () => requireAllowed(actor, resourcesRight))
    await onSubscribe?.()
    subscriptions.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriptions.delete(params.uri)
    return {}
  })
}

/** Whether the `_meta` of a call marks it as a hook's own. */
export const isCheckIn = (meta: unknown) => Reflect.get(Object(meta), checkMetaKey) === true

/** `hasPicture`: the client may draw the answer, in the places of the map. */
type ToolCall = { tool: Tool; args: unknown; isCheck: boolean; hasPicture?: boolean }

/** The only catch for MCP calls: a refusal by a tool becomes a result that the model can read. */
export async function callTool(
  ctx: Context,
  actor: Actor,
  { tool, args, isCheck, hasPicture }: ToolCall,
  onGone?: OnGone,
): Promise<CallToolResult> {
  const tell = beginCall(tool.name)
  const call = async () => {
    await actor.confirm?.()
    const run = async (counted: Actor) => {
      if (counted.operation !== undefined) counted.operation.input = args ?? {}
      const result = await tool.call(ctx, counted, args, await nameOfSpace(ctx, actor))
      return hasPicture ? withPlaces(ctx, counted, result) : result
    }
    const isRead = (isCheck || tool.isCheck === true) && tool.right === 'memory:read'
    const isFree = isRead && ctx.usage.takeCheck(actor.accountId)
    const caller = { ...actor, tool: tool.name }
    return (isFree ? runUncounted : runOperation)(ctx, caller, tool.operation, run, onGone)
  }
  try {
    const result = await tell.run(call)
    tell.end('ok')
    return result
  } catch (error) {
    const known =
      error instanceof ToolInputError
        ? new AppError('validation_failed', error.message)
        : toKnownError(ctx, actor, error, tool.name)
    if (known.status >= 500) tell.end('failed', known.code)
    else tell.end('refused')
    return toErrorResult(known)
  }
}

/** Measures and traces a tool call, if metrics or traces are enabled. */
function beginCall(tool: string) {
  const startedAt = performance.now()
  const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool, ...memoryOperation(tool) }
  const span = openSpan(`tools/call ${tool}`, 'internal', attributes)
  return {
    run: <T>(work: () => T): T => (span === undefined ? work() : span.run(work)),
    end(outcome: 'ok' | 'refused' | 'failed', error?: string) {
      span?.end({ 'loci.outcome': outcome }, error)
      if (toolAnswered.isHeard) toolAnswered.publish({ tool, ms: performance.now() - startedAt, outcome })
    },
  }
}

/** Counts a read other than a tool call; errors are reported in our own words. */
async function runRead<T>(
  ctx: Context,
  actor: Actor,
  method: string,
  read: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    await actor.confirm?.()
    return await runOperation(ctx, actor, graphRead, read, goneBy(signal))
  } catch (error) {
    throw toProtocolError(ctx, actor, error, method)
  }
}

function asProtocolError(ctx: Context, actor: Actor, method: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw toProtocolError(ctx, actor, error, method)
  }
}

function toProtocolError(ctx: Context, actor: Actor, error: unknown, method: string): ProtocolError {
  if (error instanceof ProtocolError) return error
  const known = toKnownError(ctx, actor, error, method)
  const body = asShown(toErrorBody(known).error)
  return new ProtocolError(ProtocolErrorCode.InternalError, body.message, body)
}

function toKnownError(ctx: Context, actor: Actor, error: unknown, subject: string): AppError {
  const requestId = ctx.newId('req')
  const known = toAppError(ctx, error, requestId)
  if (known.status >= 500) {
    const fields = { err: known.cause ?? known, requestId, subject, ...toLogFields(actor) }
    ctx.log.error(fields, known.message)
  }
  return known
}

function toErrorResult(error: AppError): CallToolResult {
  const { message, ...known } = asShown(toErrorBody(error).error)
  return {
    content: [{ type: 'text', text: message.slice(0, errorCharactersMax).toWellFormed() }],
    isError: true,
    _meta: { [errorMetaKey]: known },
  }
}
