import type { IncomingMessage } from 'node:http'
import {
  type ClientMessage,
  GraphEvent,
  ProposalMessage,
  RealtimeNews,
  realtimePath,
  ServerReply,
} from '@loci/contract/realtime'
import { expect, vi } from 'vitest'
import WebSocket, { type ClientOptions } from 'ws'
import { z } from 'zod'

export const patience = { timeout: 60_000, interval: 10 }

const ServerMessage = z.union([GraphEvent, RealtimeNews, ProposalMessage, ServerReply])

/** A plain WebSocket on the realtime interface that records its messages; each must match the contract. */
export async function connect(url: string, token: string, options: ClientOptions = {}) {
  const client = openSocket(url, { ...options, headers: { authorization: `Bearer ${token}` } })
  await client.heard('connected')
  return client
}

export function openSocket(url: string, options: ClientOptions = {}, query = '', protocols: string[] = []) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${realtimePath}${query}`, protocols, options)
  const messages: z.infer<typeof ServerMessage>[] = []
  socket.on('message', (data) => messages.push(ServerMessage.parse(JSON.parse(data.toString()))))
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const refused = new Promise<IncomingMessage>((resolve) =>
    socket.once('unexpected-response', (_request, response) => resolve(response)),
  )
  const events = () => messages.filter((message) => 'seq' in message)
  return {
    socket,
    messages,
    closed,
    events,
    seqs: () => events().map((event) => event.seq),
    send: (message: ClientMessage) => socket.send(JSON.stringify(message)),
    /** Waits for messages of a type and returns the newest. */
    heard: async (type: string, count = 1) => {
      await vi.waitFor(
        () =>
          expect(messages.filter((message) => message.type === type).length).toBeGreaterThanOrEqual(count),
        patience,
      )
      return messages.findLast((message) => message.type === type)
    },
    /** Waits for the event of a change. */
    reached: (seq: number) => vi.waitFor(() => expect(events().at(-1)?.seq).toBe(seq), patience),
    /** How the server refused the upgrade. */
    refusal: async () => {
      const response = await refused
      let body = ''
      for await (const chunk of response) body += chunk
      return { status: response.statusCode, headers: response.headers, body: JSON.parse(body) }
    },
  }
}
