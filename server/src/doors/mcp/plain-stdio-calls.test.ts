import type { CallToolResult, JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { type Answer, answerPlainCalls } from './plain-stdio-calls.ts'

const call = (id: number, params: object = {}): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'read_graph', ...params },
})
const cancel = (requestId: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})
const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] }
const nothing = async () => {}

/** The ids that go to the SDK, and those that get a response. */
async function idsAfter(messages: JSONRPCMessage[], answer: Answer | 'not yet' = async () => done) {
  const delivered: unknown[] = []
  const sent: unknown[] = []
  const idOf = (message: JSONRPCMessage) => ('id' in message ? message.id : 'notification')
  const transport: Transport = {
    start: nothing,
    close: nothing,
    send: async (message) => void sent.push(idOf(message)),
    onmessage: (message) => delivered.push(idOf(message)),
  }
  answerPlainCalls(
    transport,
    () => (answer === 'not yet' ? undefined : answer),
    (error) => expect.unreachable(String(error)),
  )
  for (const message of messages) transport.onmessage?.(message)
  // Longer than any of the answers takes.
  await new Promise((resolve) => setTimeout(resolve, 20))
  return { delivered, sent }
}

describe('calls over stdio', () => {
  test('are answered directly if plain', async () => {
    const messages = [call(1), call(2, { arguments: {}, _meta: { progressToken: 7 } })]
    expect(await idsAfter(messages)).toEqual({ delivered: [], sent: [1, 2] })
  })

  test('go to the SDK if unusual, malformed or too early', async () => {
    const unusual = [
      call(1, { name: 'nothing' }),
      call(2, { name: 3 }),
      call(3, { arguments: [] }),
      call(4, { task: {} }),
      call(5, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    ]
    expect(await idsAfter(unusual)).toEqual({ delivered: [1, 2, 3, 4, 5], sent: [] })
    expect(await idsAfter([call(1)], 'not yet')).toEqual({ delivered: [1], sent: [] })
  })

  test('get no response once they are cancelled, and give up their turn', async () => {
    let gone = 0
    const answer: Answer = async (_tool, _args, onGone) => {
      onGone(() => gone++)
      await new Promise((resolve) => setTimeout(resolve))
      return done
    }
    expect(await idsAfter([call(1), call(2), cancel(1), cancel(9)], answer)).toEqual({
      delivered: ['notification'],
      sent: [2],
    })
    expect(gone).toBe(1)
  })
})
