import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Actor } from '../../tenancy/auth/actor.ts'

const ClientInfo = z.object({ name: z.string(), version: z.string() })
type ClientInfo = z.output<typeof ClientInfo>

const nameMax = 128

/** A client's own name: in each request of protocol 2026-07-28, in the handshake of the older ones. */
export function clientOf(server: Server, { mcpReq }: ServerContext): ClientInfo | undefined {
  return clientIn(mcpReq.envelope) ?? server.getClientVersion()
}

/** A client's own name from the `_meta` of a request. */
export function clientIn(meta: unknown): ClientInfo | undefined {
  return ClientInfo.safeParse(Reflect.get(meta ?? {}, CLIENT_INFO_META_KEY)).data
}

/** Databases accept no control characters and no lone surrogates. */
const plainName = (name: string) =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, nameMax)
    .toWellFormed()

/** The actor with the name of the program that acts for them. */
export function withClient(actor: Actor, client: ClientInfo | undefined): Actor {
  return client === undefined ? actor : { ...actor, client: plainName(client.name) }
}

/** Names of HTTP libraries, which do not identify the program. */
const libraries =
  /^(node|undici|node-fetch|axios|got|bun|deno|mozilla|python|python-.*|httpx|aiohttp|go-http-client|okhttp|java|reqwest|curl|wget)$/i

/**
 * The actor with the program's name from `User-Agent`: older protocols name the client only in the
 * handshake, which a stateless server does not keep.
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

/** The actor with the name of their program, as far as a request of an older protocol reveals it. */
export function withProgram(actor: Actor, headers: IncomingHttpHeaders, body: unknown): Actor {
  const known = withUserAgent(actor, headers['user-agent'])
  if (known.client !== undefined) return known
  return withClient(actor, clientIntroducedIn(body) ?? clientOfSession(headers['mcp-session-id']))
}

/** A client's own name in the handshake of the older protocols. */
function clientIntroducedIn(body: unknown): ClientInfo | undefined {
  return Introduction.safeParse(body).data?.params.clientInfo
}

/**
 * The session id for a client that gives its name only in the handshake; undefined for any other
 * request. It contains that name and refers to nothing: clients send it with each request, and any
 * process can read it.
 */
export function sessionIdFor(headers: IncomingHttpHeaders, body: unknown): string | undefined {
  const introduced = productIn(headers['user-agent']) ? undefined : clientIntroducedIn(body)
  return introduced && `${randomUUID()}.${Buffer.from(plainName(introduced.name)).toString('base64url')}`
}

function clientOfSession(id: unknown): ClientInfo | undefined {
  const [, name] = typeof id === 'string' ? (/^[\w-]{36}\.([\w-]+)$/.exec(id) ?? []) : []
  return name === undefined ? undefined : { name: Buffer.from(name, 'base64url').toString(), version: '' }
}
