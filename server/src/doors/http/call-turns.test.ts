import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('turns of accounts', (server) => {
  /** Fills all of an account's slots with calls that last until `end`, and queues more. */
  function fill({ ctx: { callQueue } }: TestServer, accountId: number, waiting = 1) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const calls: Promise<void>[] = []
    while (callQueue.waiting < waiting) calls.push(callQueue.run(accountId, () => promise))
    return {
      async end() {
        resolve()
        await Promise.all(calls)
      },
    }
  }

  async function people() {
    const [alice, bob] = [await server().signUp('alice'), await server().signUp('bob')]
    return { alice, bob, aliceId: (await scopeOf(server(), alice)).accountId }
  }

  const read = ({ apiKey }: Person) => server().call('GET', '/api/entities', { token: apiKey })

  test('while one account uses its whole share, another is served over REST and MCP', async () => {
    const { alice, bob, aliceId } = await people()
    const flood = fill(server(), aliceId)
    const { waiting } = server().ctx.callQueue
    let isServed = false
    const waits = read(alice).finally(() => {
      isServed = true
    })
    await expect.poll(() => server().ctx.callQueue.waiting).toBe(waiting + 1)
    expect((await read(bob)).status).toBe(200)
    await bob.rest.createEntity({ body: { name: 'Bob', type: 'person' } })
    const agent = await connectOverHttp(server(), bob.apiKey, 'auto')
    expect(JSON.stringify(await agent.callTool({ name: 'read_graph', arguments: {} }))).toContain('Bob')
    await agent.close()
    expect(isServed).toBe(false)
    await flood.end()
    expect((await waits).status).toBe(200)
  })

  test('a call whose client disconnects leaves the queue', async () => {
    const { alice, aliceId } = await people()
    const flood = fill(server(), aliceId)
    const { callQueue } = server().ctx
    const { waiting } = callQueue
    for (const path of ['/api/entities', '/mcp']) {
      const headers = { authorization: `Bearer ${alice.apiKey}`, 'content-type': 'application/json' }
      const sent = request(server().url + path, { method: path === '/mcp' ? 'POST' : 'GET', headers })
      sent.setHeader('accept', 'application/json, text/event-stream')
      const params = { name: 'read_graph', arguments: {} }
      sent.end(path === '/mcp' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) : '')
      sent.on('error', () => {})
      await expect.poll(() => callQueue.waiting).toBe(waiting + 1)
      sent.destroy()
      await expect.poll(() => callQueue.waiting).toBe(waiting)
    }
    await flood.end()
  })

  test('an account with too many waiting calls is told to retry later', async () => {
    const { alice, bob, aliceId } = await people()
    const flood = fill(server(), aliceId, 1_000)
    const refused = await read(alice)
    expect(refused.status).toBe(429)
    expect(refused.body.error.code).toBe('rate_limited')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit-limit')).toBe('1000')
    const agent = await connectOverHttp(server(), alice.apiKey, 'auto')
    expect(await agent.callTool({ name: 'read_graph', arguments: {} })).toMatchObject({
      isError: true,
      _meta: { 'dev.loci/error': { code: 'rate_limited' } },
    })
    await agent.close()
    expect((await read(bob)).status).toBe(200)
    await flood.end()
    expect((await read(alice)).status).toBe(200)
  })

  test('a client that leaves an export unread holds no slot', async () => {
    const { alice } = await people()
    const entities = Array.from({ length: 200 }, (_, i) => ({
      name: `Ada ${i}`,
      type: 'person',
      observations: ['x'.repeat(20_000)],
    }))
    await alice.rest.createBatch({ body: { entities } })
    const headers = { authorization: `Bearer ${alice.apiKey}` }
    const unread = await Promise.all(
      Array.from({ length: server().ctx.dialect.callsAtOnce }, async () => {
        const sent = request(`${server().url}/api/export`, { headers })
        sent.end()
        const [answer] = await once(sent, 'response')
        return { sent, answer }
      }),
    )
    expect(unread.map(({ answer }) => answer.statusCode)).toEqual(unread.map(() => 200))
    expect((await read(alice)).status).toBe(200)
    for (const { sent } of unread) sent.destroy()
  })
})
