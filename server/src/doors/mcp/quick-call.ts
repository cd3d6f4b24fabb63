import type { IncomingHttpHeaders } from 'node:http'
import {
  type CallToolResult,
  classifyInboundRequest,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { isRecord } from '../../ground/lib/json.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { takesJson } from './accept.ts'
import { clientIn, withClient } from './client-name.ts'
import { capabilitiesIn, drawsAnswer } from './graph-view.ts'
import { findTool, profileOf } from './profiles.ts'
import { isCheckIn, serverInfo } from './server.ts'
import type { Tool } from './tool.ts'

/** A plain call of one of our tools. */
export type QuickCall = {
  tool: Tool
  args: unknown
  isCheck: boolean
  hasPicture: boolean
  /** The caller with the name of their program, if the call contains it. */
  callerOf: (actor: Actor) => Actor
  /** The complete response to the call. */
  toAnswer: (result: CallToolResult) => object
}

/** A message that calls a tool with well-formed parameters. */
export type ToolCall = {
  id: string | number
  params: { name: string; arguments?: object | undefined; _meta?: object | undefined }
}

const currentVersion = '2026-07-28'
const olderVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < currentVersion)

const isObjectOrAbsent = (value: unknown) => value === undefined || isRecord(value)

export function isToolCall(message: unknown): message is ToolCall {
  if (!isRecord(message) || Reflect.get(message, 'method') !== 'tools/call') return false
  const params: unknown = Reflect.get(message, 'params')
  if (!isRecord(params) || typeof Reflect.get(params, 'name') !== 'string') return false
  return isObjectOrAbsent(Reflect.get(params, 'arguments')) && isObjectOrAbsent(Reflect.get(params, '_meta'))
}

/**
 * The tool call in a request, if it is a plain one: its response can be a single JSON text, whereas the
 * SDK would create a server, a transport and a stream at several times the cost of the call. Returns
 * undefined for anything unusual or malformed; the SDK handles it.
 */
export function toQuickCall({ method, headers, body, query }: FastifyRequest): QuickCall | undefined {
  if (method !== 'POST' || !isToolCall(body)) return undefined
  const { id, params } = body
  const tool = findTool(params.name, profileOf({ query }))
  const era = eraOf(headers, params.name, body)
  if (tool === undefined || era === undefined) return undefined
  return {
    tool,
    args: params.arguments,
    isCheck: isCheckIn(params._meta),
    hasPicture: drawsAnswer(tool, era === 'older' ? undefined : capabilitiesIn(params._meta)),
    callerOf: (actor) => (era === 'older' ? actor : withClient(actor, clientIn(params._meta))),
    toAnswer: (result) => ({
      jsonrpc: '2.0',
      id,
      result: era === 'older' ? result : toCurrentResult(result),
    }),
  }
}

/** The protocol version of a call, if the call is well-formed. */
function eraOf(headers: IncomingHttpHeaders, tool: string, body: object): 'current' | 'older' | undefined {
  const version = headers['mcp-protocol-version']
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body })
  if (outcome.kind === 'modern') {
    const isNamed = headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === tool
    const isCurrent = version === currentVersion && outcome.classification.revision === currentVersion
    return isNamed && isCurrent ? 'current' : undefined
  }
  const isOlder =
    version === undefined
      ? headers['mcp-method'] === undefined
      : typeof version === 'string' && olderVersions.includes(version)
  const isPlain = outcome.kind === 'legacy' && outcome.reason === 'no-claim'
  return isPlain && isOlder && takesJson(headers.accept) ? 'older' : undefined
}

function toCurrentResult(result: CallToolResult): object {
  const _meta = { ...result._meta, [SERVER_INFO_META_KEY]: serverInfo }
  return { ...result, resultType: 'complete', _meta }
}
