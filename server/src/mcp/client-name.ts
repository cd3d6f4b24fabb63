import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'

const ClientInfo = z.object({ name: z.string(), version: z.string() })

/** What a client calls itself: in each request of protocol 2026-07-28, in the handshake of the older ones. */
export function clientOf(
  server: Server,
  { mcpReq }: ServerContext,
): { name: string; version: string } | undefined {
  const told = ClientInfo.safeParse(Reflect.get(mcpReq.envelope ?? {}, CLIENT_INFO_META_KEY))
  return told.success ? told.data : server.getClientVersion()
}
