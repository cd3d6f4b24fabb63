import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** How much of a refused body is received before its connection is closed. */
const discardedBytesMax = 64 * 1024 * 1024
/** How long a client may send nothing more of it; nginx waits as long (`lingering_timeout`). */
const silenceMs = 5_000

/**
 * Receives the rest of a refused body after the answer. If the connection were closed at once, a client that is still
 * sending would be told that it was reset, and most then never read the answer.
 */
export function receiveRefusedBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw, refusal } = request
    if (refusal === undefined || typeof payload !== 'string' || !isArriving(raw)) return done()
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, Readable.from(answerAndDiscard(payload, raw)))
  })
}

function isArriving({ complete, destroyed, headers }: IncomingMessage): boolean {
  return !complete && !destroyed && ('transfer-encoding' in headers || Number(headers['content-length']) > 0)
}

async function* answerAndDiscard(answer: string, body: IncomingMessage): AsyncGenerator<string> {
  yield answer
  let bytes = 0
  const silence = setTimeout(() => body.destroy(), silenceMs)
  body.on('error', () => {})
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    silence.refresh()
    if (bytes > discardedBytesMax) body.destroy()
  })
  if (!body.destroyed) await once(body, 'close')
  clearTimeout(silence)
}
