import { setTimeout as sleep } from 'node:timers/promises'
import { ImportResponse } from '@loci/contract/imports'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { graphUri } from '../src/doors/mcp/addresses.ts'
import { resetPassword } from '../src/features/users/users.service.ts'
import { secondMs, toIso } from '../src/ground/lib/time.ts'
import { addPerson, openTwin, restWith, setPlan } from './accounts.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { connectOverHttp } from './mcp-clients.ts'
import { connect as connectApp } from './oauth.ts'
import { connect } from './socket.ts'

type Twin = Awaited<ReturnType<typeof openTwin>>

/** Far below the 20 s interval at which credentials are rechecked anyway. */
const atOnceMs = 10_000

describeOnBothDatabases('connections of credentials that end', (server) => {
  let twin: Twin
  beforeAll(async () => {
    twin = await openTwin(server())
  })
  afterAll(() => twin?.close())

  /** Ways to end credentials: a token, and the call that ends it. */
  const ways: Record<string, (person: Person) => Promise<{ token: string; end: () => Promise<unknown> }>> = {
    'a session that is logged out': async ({ token, rest }) => ({ token, end: () => rest.logout() }),
    'a session that another one ends': async ({ token, ...person }) => {
      const other = restWith(server(), (await server().anonymous.login({ body: person })).token)
      const { sessions } = await person.rest.listSessions()
      const { id } = sessions.find(({ current }) => current)!
      return { token, end: () => other.deleteSession({ params: { id } }) }
    },
    'all sessions': async ({ token, rest }) => ({ token, end: () => rest.deleteSessions() }),
    'a session whose password was changed in another': async ({ rest, password, ...person }) => {
      const { token } = await server().anonymous.login({ body: { password, ...person } })
      const body = { currentPassword: password, newPassword: 'quite another one' }
      return { token, end: () => rest.changePassword({ body }) }
    },
    'a session whose password was reset in another process': async ({ token, email }) => ({
      token,
      end: () => resetPassword(twin.ctx, email, 'quite another one'),
    }),
    'a personal key that is rolled': async ({ apiKey, rest }) => ({
      token: apiKey,
      end: () => rest.rollPersonalKey(),
    }),
    'an API key that is deleted': async ({ rest }) => {
      const { id, apiKey } = await rest.createKey({ body: { name: 'agent' } })
      return { token: apiKey, end: () => rest.deleteKey({ params: { id } }) }
    },
    'an API key whose time has come': async ({ rest }) => {
      const { clock } = server()
      const expiresAt = toIso(clock.now + 500)
      const { apiKey } = await rest.createKey({ body: { name: 'agent', expiresAt } })
      const end = async () => {
        clock.now += 500
      }
      return { token: apiKey, end }
    },
    'an app that its person disconnects': async (person) => {
      const { tokens } = await connectApp(server(), person)
      const [connection] = (await person.rest.listConnections()).connections
      return { token: tokens.access_token, end: () => person.rest.deleteConnection({ params: connection! }) }
    },
    'an app that an admin disconnects': async (person) => {
      const member = await addPerson(server(), person, 'member')
      const { tokens } = await connectApp(server(), { ...person, ...member })
      const [connection] = (await person.rest.listConnections({ query: { all: 'true' } })).connections
      return { token: tokens.access_token, end: () => person.rest.deleteConnection({ params: connection! }) }
    },
    'an access token whose time has come': async (person) => {
      const { tokens } = await connectApp(server(), person)
      const end = async () => {
        server().clock.now += tokens.expires_in * secondMs
      }
      server().clock.now += tokens.expires_in * secondMs - 500
      return { token: tokens.access_token, end }
    },
    'an account that is deleted': async ({ token, rest, password }) => ({
      token,
      end: () => rest.deleteAccount({ body: { password } }),
    }),
  }

  test.each(Object.keys(ways))('are closed at once in every process: %s', async (way) => {
    const person = await server().signUp()
    const bystander = await server().signUp('bob')
    const { token, end } = await ways[way]!(person)
    const sockets = [await connect(server().url, token), await connect(twin.url, token)]
    const streams = await Promise.all(
      [server(), twin].map(async (place) => {
        const client = await connectOverHttp(place, token, 'auto')
        return client.listen({ resourceSubscriptions: [graphUri] })
      }),
    )
    const present = await connect(twin.url, bystander.token)
    const startedAt = performance.now()
    await end()
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008])
    await Promise.all(streams.map(({ closed }) => closed))
    expect(performance.now() - startedAt).toBeLessThan(atOnceMs)
    present.send({ type: 'ping', payload: {} })
    await present.heard('pong')
    present.socket.close()
  })

  test('break off a long answer', async () => {
    const { rest } = await server().signUp()
    for (const name of ['Ada', 'Charles']) {
      const observations = Array.from({ length: 120 }, (_, i) => `${i} ${'a'.repeat(60_000)}`)
      await rest.createEntity({ body: { name, type: 'person', observations } })
    }
    const { id, apiKey } = await rest.createKey({ body: { name: 'agent' } })
    const readers = await Promise.all(
      [server().url, twin.url].map(async (url) => {
        const headers = { authorization: `Bearer ${apiKey}` }
        const { body } = await fetch(`${url}/api/export`, { headers })
        return body!.getReader()
      }),
    )
    await rest.deleteKey({ params: { id } })
    for (const reader of readers) {
      const readSlowly = async () => {
        while (!(await reader.read()).done) await sleep(20)
      }
      await expect(readSlowly()).rejects.toThrow()
    }
  })

  const importOf = (token: string) =>
    fetch(`${twin.url}/api/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-ndjson',
        prefer: 'respond-async',
      },
      body: Array.from({ length: 10_000 }, (_, i) =>
        JSON.stringify({ type: 'entity', name: `Ada ${i}`, entityType: 'person', observations: [`${i}`] }),
      ).join('\n'),
    })

  test.each(['deleted key', 'key of a viewer'])('stop an import: %s', async (way) => {
    const owner = await server().signUp()
    await setPlan(server(), owner, 'pro')
    const { token, userId } = await addPerson(server(), owner, 'member')
    const member = restWith(server(), token)
    const { id, apiKey } = await member.createKey({ body: { name: 'agent' } })
    const { import: started } = ImportResponse.parse(await (await importOf(apiKey)).json())
    if (way === 'deleted key') await member.deleteKey({ params: { id } })
    else await owner.rest.updateMember({ params: { userId }, body: { role: 'viewer' } })
    await vi.waitFor(
      async () => {
        const { import: report } = await owner.rest.getImport({ params: { id: started.id } })
        expect(report.state).toBe('interrupted')
      },
      { timeout: atOnceMs, interval: 100 },
    )
  })

  test('stay open when another credential of the account ends', async () => {
    const { token, apiKey, rest } = await server().signUp()
    const old = await rest.createKey({ body: { name: 'agent' } })
    const { newKey } = await rest.rollKey({ params: { id: old.id } })
    const kept = [token, old.apiKey, newKey.apiKey].map((one) => connect(twin.url, one))
    const sockets = await Promise.all(kept)
    const ended = await connect(twin.url, apiKey)
    await rest.rollPersonalKey()
    expect(await ended.closed).toBe(1008)
    for (const client of sockets) {
      client.send({ type: 'ping', payload: {} })
      await client.heard('pong')
      client.socket.close()
    }
  })
})
