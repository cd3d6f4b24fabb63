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
  const product = userAgent?.match(/^[^\s/(]+(?=[\s/(]|$)/)?.[0]
  if (product === undefined || libraries.test(product)) return actor
  return { ...actor, client: plainName(product) }
}
