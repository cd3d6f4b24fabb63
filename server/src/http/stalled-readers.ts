import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends the connections of those who have stopped reading their answer: nothing of it went out for as long as the
 * server's `connectionTimeout`. Those who wait for an answer, or listen to a stream that has nothing to tell, stay.
 */
export function endStalledReaders(app: FastifyInstance): void {
  app.server.on('timeout', (socket: Socket & { _httpMessage?: unknown }) => {
    const awaitsAnswer = Boolean(socket._httpMessage) && socket.writableLength === 0
    if (!awaitsAnswer) socket.destroy()
  })
}
