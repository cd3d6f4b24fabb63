import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { Duplex } from 'node:stream'
import { realtimeMessageBytesMax, realtimePath, realtimeProtocol } from '@loci/contract/realtime'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import { toAppError } from '../../ground/errors/to-app-error.ts'
import { authenticate, enterNamedAccount } from '../../tenancy/auth/authenticate.ts'
import { actorOnSpace } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { accountNamedIn, spaceNamedIn } from '../http/credentials.ts'
import { createHostCheck, requireSameOrigin } from '../http/known-hosts.ts'
import { toRawAnswer } from '../http/raw-answer.ts'
import { RealtimeHub, type RealtimeLimits, realtimeLimits } from './hub.ts'

/** True for requests that become WebSockets; other upgrade requests must be ignored, as HTTP allows. */
export function isRealtimeUpgrade(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === 'websocket' && request.url?.split('?', 1)[0] === realtimePath
  )
}

/** Serves the realtime interface of the contract. The URL may contain a key, so it is never logged. */
export function registerRealtime(
  app: FastifyInstance,
  ctx: Context,
  limits: Partial<RealtimeLimits> = {},
): RealtimeHub {
  const checkHost = createHostCheck(ctx.config)
  const hub = new RealtimeHub(ctx, { ...realtimeLimits, ...limits })
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: realtimeMessageBytesMax,
    handleProtocols: (offered) => offered.has(realtimeProtocol) && realtimeProtocol,
  })
  app.server.on('upgrade', async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until the socket is a WebSocket, nothing else handles its errors.
    const ignore = () => {}
    socket.on('error', ignore)
    try {
      checkHost(request.headers)
      requireSameOrigin(ctx.config, request.headers)
      const token = tokenOf(request)
      const holder = await authenticate(ctx, `Bearer ${token}`)
      const place = { headers: request.headers, query: parse(searchOf(request)) }
      const account = accountNamedIn(place)
      const caller = account === undefined ? holder : await enterNamedAccount(ctx, holder, account)
      const actor = await actorOnSpace(ctx, caller, spaceNamedIn(place))
      hub.requireRoom(actor.accountId)
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', ignore)
        hub.accept(webSocket, { actor, token })
      })
    } catch (error) {
      refuse(ctx, request, socket, error)
    }
  })
  app.addHook('preClose', () => hub.close())
  return hub
}

/** The token from the header, the subprotocol pair or the URL, in this order; empty if there is none. */
function tokenOf(request: IncomingMessage): string {
  const { authorization } = request.headers
  if (authorization !== undefined) return authorization.replace(/^Bearer +/i, '')
  const protocols = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? []
  const fromProtocols = protocols.includes(realtimeProtocol)
    ? protocols.find((name) => name !== realtimeProtocol)
    : undefined
  return fromProtocols ?? new URLSearchParams(searchOf(request)).get('api_key') ?? ''
}

const searchOf = ({ url = '' }: IncomingMessage) => url.split('?', 2)[1] ?? ''

function refuse(ctx: Context, request: IncomingMessage, socket: Duplex, error: unknown): void {
  const known = toAppError(ctx, error, ctx.newId('req'))
  if (known.status >= 500) ctx.log.error({ err: known.cause ?? known }, known.message)
  socket.end(toRawAnswer(known, tokenOf(request) !== ''), () => socket.destroy())
}
