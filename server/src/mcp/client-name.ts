import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'

const ClientInfo = z.object({ name: z.string(), version: z.string() })
type ClientInfo = z.output<typeof ClientInfo>

const nameMax = 128

/** What a client calls itself: in each request of protocol 2026-07-28, in the handshake of the older ones. */
export function clientOf(server: Server, { mcpReq }: ServerContext): ClientInfo | undefined {
  return clientIn(mcpReq.envelope) ?? server.getClientVersion()
}

/** What a client calls itself in the `_meta` of a request. */
export function clientIn(meta: unknown): ClientInfo | undefined {
  return ClientInfo.safeParse(Reflect.get(meta ?? {}, CLIENT_INFO_META_KEY)).data
}

/** Databases take no control characters and no halves of characters. */
const plainName = (name: string) =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, nameMax)
    .toWellFormed()

/** The actor with the name of the program that speaks for them. */
export function withClient(actor: Actor, client: ClientInfo | undefined): Actor {
  return client === undefined ? actor : { ...actor, client: plainName(client.name) }
}

/** What HTTP libraries call themselves, which says nothing of the program. */
const libraries =
  /^(node|undici|node-fetch|axios|got|bun|deno|mozilla|python|python-.*|httpx|aiohttp|go-http-client|okhttp|java|reqwest|curl|wget)$/i

/**
 * The actor with what their program calls itself in `User-Agent`: older protocols name the client in the handshake
 * alone, of which a server without sessions keeps nothing.
 */
export function withUserAgent(actor: Actor, userAgent: string | undefined): Actor {
  const product = productIn(userAgent)
  return product === undefined ? actor : { ...actor, client: plainName(product) }
}

function productIn(userAgent: string | undefined): string | undefined {
  const product = userAgent?.match(/^[^\s/(]+(?=[\s/(]|$)/)?.[0]
  return product === undefined || libraries.test(product) ? undefined : product
}

const Introduction = z.object({
  method: z.literal('initialize'),
  params: z.object({ clientInfo: ClientInfo }),
})

/** The actor with the name of their program, as far as a request of an older protocol tells it. */
export function withProgram(actor: Actor, headers: IncomingHttpHeaders, body: unknown): Actor {
  const known = withUserAgent(actor, headers['user-agent'])
  if (known.client !== undefined) return known
  return withClient(actor, clientIntroducedIn(body) ?? clientOfSession(headers['mcp-session-id']))
}

/** What a client calls itself in the handshake of the older protocols. */
function clientIntroducedIn(body: unknown): ClientInfo | undefined {
  return Introduction.safeParse(body).data?.params.clientInfo
}

/**
 * The id of a session for a client that names itself in the handshake alone, undefined for every other request. It holds
 * that name and refers to nothing: clients send it back with each request, which any process can read.
 */
export function sessionIdFor(headers: IncomingHttpHeaders, body: unknown): string | undefined {
  const introduced = productIn(headers['user-agent']) ? undefined : clientIntroducedIn(body)
  return introduced && `${randomUUID()}.${Buffer.from(plainName(introduced.name)).toString('base64url')}`
}

function clientOfSession(id: unknown): ClientInfo | undefined {
  const [, name] = typeof id === 'string' ? (/^[\w-]{36}\.([\w-]+)$/.exec(id) ?? []) : []
  return name === undefined ? undefined : { name: Buffer.from(name, 'base64url').toString(), version: '' }
}
