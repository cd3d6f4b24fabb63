import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request as a webhook receiver got it. */
export type Received = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape.
  event: any
}

type Answer = (response: ServerResponse, received: Received) => void

export type Receiver = {
  url: string
  received: Received[]
  /** How it responds from now on; initially with 204. */
  answer: Answer
  /** Waits until this many requests have come. */
  expectCount: (count: number) => Promise<Received[]>
  close: () => Promise<void>
}

const patienceMs = 60_000

/** Responds with a status and nothing else. */
export const withStatus =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end()

/** A webhook receiver on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: withStatus(204),
    async expectCount(count) {
      for (const end = Date.now() + patienceMs; receiver.received.length < count; await sleep(5)) {
        if (Date.now() > end) throw new Error(`${receiver.received.length} of ${count} requests came`)
      }
      return receiver.received
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer(async (request, response) => {
    const received = await read(request)
    receiver.received.push(received)
    receiver.answer(response, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  return { path: request.url!, headers: request.headers, body, event: JSON.parse(body) }
}
