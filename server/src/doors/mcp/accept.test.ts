import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { initialize } from '../../../test/mcp-process.ts'
import { type Call, postMcp } from '../../../test/mcp-raw.ts'

const accepted = [undefined, '', '*/*', 'application/json', 'application/*', 'text/html, */*;q=0.8']
const calls: Call[] = [
  { method: 'tools/list' },
  { method: 'tools/call', params: { name: 'open_nodes', arguments: { names: ['Ada'] } } },
  { method: 'resources/read', params: { uri: 'memory://knowledge-graph' } },
  { method: 'prompts/get', params: { name: 'save_after_task' } },
]

describe('what a client says it accepts', () => {
  let server: TestServer
  let alice: Person
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    alice = await server.signUp()
  })
  afterAll(() => server?.close())

  const ask = (era: 'older' | 'current', call: Call, accept: string | undefined, path = '/mcp') =>
    postMcp(server.url + path, alice.apiKey, era, call, { accept })

  test.each(accepted)('%j is answered with JSON in both protocol eras, like any other', async (accept) => {
    for (const era of ['older', 'current'] as const) {
      for (const call of calls) {
        const { status, headers, message } = await ask(era, call, accept)
        const usual = await ask(era, call, 'application/json, text/event-stream')
        expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('application/json')])
        expect(message.result).toBeDefined()
        expect(message).toEqual(usual.message)
      }
    }
    const { message } = await ask('older', initialize, accept)
    expect(message.result).toMatchObject({ protocolVersion: '2025-11-25' })
    const notification = { method: 'notifications/initialized', id: undefined }
    expect(await ask('older', notification, accept)).toMatchObject({ status: 202, message: undefined })
  })

  test.each(['text/html', 'text/event-stream'])('%j alone is refused in the older era', async (accept) => {
    for (const call of calls) expect(await ask('older', call, accept)).toMatchObject({ status: 406 })
  })

  test('the address may end in a slash', async () => {
    for (const era of ['older', 'current'] as const) {
      for (const call of calls) {
        const [slash, plain] = [await ask(era, call, '*/*', '/mcp/'), await ask(era, call, '*/*')]
        expect(slash.message.result).toBeDefined()
        expect(slash.message).toEqual(plain.message)
      }
    }
  })
})
