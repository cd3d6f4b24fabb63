import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import {
  describeOnBothDatabases,
  type Person,
  startTestServer,
  type TestServer,
} from '../../../test/harness.ts'

/** The burst of an account: this much processor time, or sixteen bodies of 8 MB. */
const msPerBurst = 30_000

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

function mcp(server: TestServer, { apiKey }: Person, body: unknown) {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  })
}

/** Uses up the account's current burst, but for `leftMs`; the clock of a test stands still. */
async function spend(server: TestServer, person: Person, leftMs = 0) {
  const { accountId } = await scopeOf(server, person)
  server.ctx.burstLimit.charge(accountId, msPerBurst - leftMs)
}

describeOnBothDatabases('the burst limit of an account', (server) => {
  async function withLimit(run: (server: TestServer) => Promise<void>) {
    const limited = await startTestServer(server().ctx.dialect.name, { burstLimit: true })
    await run(limited).finally(limited.close)
  }

  test('refuses excess calls over REST and MCP alike, and affects no other account', () =>
    withLimit(async (limited) => {
      const [alice, bob] = [await limited.signUp('alice'), await limited.signUp('bob')]
      await spend(limited, alice)
      const body = { name: 'Ada', type: 'person' }
      const refused = await limited.call('POST', '/api/entities', { token: alice.apiKey, body })
      expect(refused.status).toBe(429)
      expect(refused.body.error.code).toBe('rate_limited')
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(refused.headers.get('ratelimit-limit')).toBe('30000')
      expect(refused.headers.get('ratelimit-remaining')).toBe('0')
      expect(refused.headers.get('ratelimit-reset')).toBe('1')
      const refusedAgent = await mcp(limited, alice, ping(1))
      expect(refusedAgent.status).toBe(429)
      expect(refusedAgent.headers.get('retry-after')).toBe('1')
      expect(await refusedAgent.json()).toMatchObject({ error: { data: { code: 'rate_limited' } } })
      await bob.rest.createEntity({ body })
      limited.clock.now += 1_000
      expect((await alice.rest.listEntities()).entities).toEqual([])
    }))

  test('charges calls the processor time that they took', () =>
    withLimit(async (limited) => {
      const alice = await limited.signUp('alice')
      const observations = Array.from({ length: 300 }, (_, i) => `Fact ${i} `.repeat(50))
      // Enough for the five hundred cheapest calls.
      await spend(limited, alice, 100)
      const create = (i: number) =>
        limited.call('POST', '/api/entities', {
          token: alice.apiKey,
          body: { name: `Long ${i}`, type: 'thing', observations },
        })
      const statuses: number[] = []
      while (statuses.length < 100 && statuses.at(-1) !== 429)
        statuses.push((await create(statuses.length)).status)
      expect(statuses.at(-1)).toBe(429)
    }))

  test('counts every session and key of the account together', () =>
    withLimit(async (limited) => {
      const alice = await limited.signUp('alice')
      await spend(limited, alice)
      expect((await limited.call('GET', '/api/entities', { token: alice.token })).status).toBe(429)
    }))

  test('limits the bytes of bodies', () =>
    withLimit(async (limited) => {
      const alice = await limited.signUp('alice')
      const body = `{"entities":"${'x'.repeat(8_000_000)}"}`
      const send = () => limited.call('POST', '/api/entities/batch', { token: alice.apiKey, body })
      for (let i = 0; i < 16; i++) expect((await send()).status).toBe(400)
      expect((await send()).body.error.message).toContain('40,000,000 bytes a second')
      // A call without a body still succeeds.
      expect((await alice.rest.listEntities()).entities).toEqual([])
    }))

  test('is off if the configuration says so', async () => {
    const alice = await server().signUp('alice')
    await spend(server(), alice)
    await spend(server(), alice)
    expect((await alice.rest.listEntities()).entities).toEqual([])
  })
})
