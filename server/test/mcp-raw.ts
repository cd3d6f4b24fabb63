import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** The form of a request: that of the 2025 protocols, or that of 2026-07-28 with its headers and `_meta`. */
export type Era = 'older' | 'current'

const version = '2026-07-28'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
}

export type RawAnswer = {
  status: number | undefined
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into messages of every shape.
  message: any
}
export type Call = { method: string; params?: unknown; id?: number | undefined }

/** Sends one raw request to an MCP address. Headers that are `undefined` are omitted, which `fetch` would not allow. */
export async function postMcp(...request: Parameters<typeof openMcp>): Promise<RawAnswer> {
  const answer = await openMcp(...request)
  return { status: answer.statusCode, headers: answer.headers, message: messageIn(await text(answer)) }
}

/** The response as it begins. */
export async function openMcp(
  url: string,
  token: string,
  era: Era,
  call: Call,
  headers: Record<string, string | undefined> = {},
): Promise<IncomingMessage> {
  const sent = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(era === 'current' ? headersOf(call.method, call.params) : {}),
    ...headers,
  }
  const present = Object.entries(sent).filter((entry) => entry[1] !== undefined)
  const outgoing = request(url, { method: 'POST', headers: Object.fromEntries(present) })
  const params = era === 'current' ? withMeta(call.params) : call.params
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...call, params }))
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return answer
}

/** The message in a plain response or in the last event of a stream. */
function messageIn(body: string): unknown {
  const json = /^data: (.*)$/m.exec(body)?.[1] ?? body
  return json === '' ? undefined : JSON.parse(json)
}

function headersOf(method: string, params: unknown): Record<string, string> {
  const { name, uri } = (params ?? {}) as { name?: unknown; uri?: unknown }
  const subject = name ?? uri
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof subject === 'string' ? { 'mcp-name': subject } : {}),
  }
}

const withMeta = (params: unknown = {}) => ({ ...(params as object), _meta })
