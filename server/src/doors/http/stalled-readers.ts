import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Closes connections whose client has stopped reading: nothing of the response was sent for as long as the server's
 * `connectionTimeout`. Clients that wait for a response or listen to an idle stream stay connected.
 */
export function endStalledReaders(app: FastifyInstance): void {
  app.server.on('timeout', (socket: Socket & { _httpMessage?: unknown }) => {
    const awaitsAnswer = Boolean(socket._httpMessage) && socket.writableLength === 0
    if (!awaitsAnswer) socket.destroy()
  })
}
