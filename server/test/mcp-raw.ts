/** The form of a request: of the 2025 protocols, or of 2026-07-28 with its headers and `_meta`. */
export type Era = 'older' | 'current'

const version = '2026-07-28'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into messages of every shape.
export type RawAnswer = { status: number; headers: Headers; message: any }
export type Call = { method: string; params?: unknown }

/** Sends one request to a server's `/mcp` as it goes over the wire; headers of `undefined` are left out. */
export async function postMcp(
  url: string,
  token: string,
  era: Era,
  { method, params }: Call,
  headers: Record<string, string | undefined> = {},
): Promise<RawAnswer> {
  const sent = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(era === 'current' ? headersOf(method, params) : {}),
    ...headers,
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: era === 'current' ? withMeta(params) : params,
    }),
  })
  const text = await response.text()
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return {
    status: response.status,
    headers: response.headers,
    message: json === '' ? undefined : JSON.parse(json),
  }
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
