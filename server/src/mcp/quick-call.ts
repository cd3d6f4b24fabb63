import type { IncomingHttpHeaders } from 'node:http'
import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { findTool } from './server.ts'
import type { Tool } from './tool.ts'

/** A call of one of our tools as the protocol's older eras send it. */
export type QuickCall = { id: string | number; tool: Tool; args: unknown }

const olderVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < '2026')

type CallParams = { name?: unknown; arguments?: unknown; _meta?: unknown }

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isObjectOrAbsent = (value: unknown) => value === undefined || isObject(value)

/**
 * The tool call in a request, when it is a plain one: then its answer may be a single JSON text, for which the SDK would
 * make a server, a transport and a stream at several times the cost of the call. Whatever is unusual, or wrong, is
 * undefined and the SDK's to judge.
 */
export function toQuickCall({ method, headers, body }: FastifyRequest): QuickCall | undefined {
  if (method !== 'POST' || !isObject(body) || Reflect.get(body, 'method') !== 'tools/call') return undefined
  if (!takesBothKinds(headers.accept) || !isOfOlderEra(headers)) return undefined
  const outcome = classifyInboundRequest({ httpMethod: method, body })
  if (outcome.kind !== 'legacy' || outcome.reason !== 'no-claim') return undefined
  const { id, params } = body as { id: string | number; params?: CallParams }
  if (!isObject(params) || typeof params.name !== 'string') return undefined
  if (!isObjectOrAbsent(params.arguments) || !isObjectOrAbsent(params._meta)) return undefined
  const tool = findTool(params.name)
  return tool === undefined ? undefined : { id, tool, args: params.arguments }
}

/** The protocol asks clients to take an answer of either kind. */
function takesBothKinds(accept = ''): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream')
}

function isOfOlderEra(headers: IncomingHttpHeaders): boolean {
  const version = headers['mcp-protocol-version']
  if (version === undefined) return headers['mcp-method'] === undefined
  return typeof version === 'string' && olderVersions.includes(version)
}
