import { text } from 'node:stream/consumers'
import { createRestClient } from '@loci/client/rest'
import type { Client, McpSubscription } from '@modelcontextprotocol/client'
import pino from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { describeOnBothDatabases, listenOn, type Person, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp, connectOverStdio } from '../../../test/mcp-clients.ts'
import { openMcp, postMcp } from '../../../test/mcp-raw.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { openContext } from '../../open-context.ts'
import { entityUri, graphUri } from './addresses.ts'

const patience = { timeout: 60_000, interval: 20 }
const open: Client[] = []

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

/** The URIs that a client is notified of, in order. */
function updatesOf(client: Client): string[] {
  open.push(client)
  const updates: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri)
  })
  return updates
}

async function listen(
  server: TestServer,
  token: string,
  ...uris: string[]
): Promise<{ updates: string[]; subscription: McpSubscription }> {
  const client = await connectOverHttp(server, token, 'auto')
  const updates = updatesOf(client)
  return { updates, subscription: await client.listen({ resourceSubscriptions: uris }) }
}

/** What a stream says until it ends. */
async function openStream(url: string, token: string): Promise<{ whole: Promise<string> }> {
  const params = { notifications: { resourceSubscriptions: [graphUri] } }
  const call = { method: 'subscriptions/listen', params }
  return { whole: text(await openMcp(`${url}/mcp`, token, 'current', call)) }
}

const heard = (updates: string[], ...expected: string[]) =>
  vi.waitFor(() => expect(updates).toEqual(expected), patience)

const create = (person: Person, name: string) => person.rest.createEntity({ body: { name, type: 'thing' } })

describeOnBothDatabases('updates of resources', (server) => {
  describe('over HTTP', () => {
    test('report the graph and every entity that a change touches, and no other', async () => {
      const alice = await server().signUp()
      const { entity: ada } = await create(alice, 'Ada & Co')
      const { entity: bob } = await create(alice, 'Bob')
      const { updates } = await listen(server(), alice.apiKey, entityUri('Ada & Co'), entityUri('Ada'))
      const adaUri = entityUri('Ada & Co')

      await alice.rest.createObservations({ params: { id: bob.id }, body: { content: 'Not about her' } })
      await alice.rest.createObservations({ params: { id: ada.id }, body: { content: 'About her' } })
      await heard(updates, adaUri)
      const relation = { fromEntityId: bob.id, toEntityId: ada.id, type: 'knows' }
      await alice.rest.createRelation({ body: relation })
      await heard(updates, adaUri, adaUri)
      await alice.rest.updateEntity({ params: { id: ada.id }, body: { name: 'Ada', type: 'thing' } })
      await heard(updates, adaUri, adaUri, adaUri, entityUri('Ada'))
      await alice.rest.deleteEntity({ params: { id: ada.id } })
      await heard(updates, adaUri, adaUri, adaUri, entityUri('Ada'), entityUri('Ada'))
    })

    test('are not promised to clients of an older protocol, which could not receive them', async () => {
      const { apiKey } = await server().signUp()
      const client = await connectOverHttp(server(), apiKey, 'legacy')
      open.push(client)
      expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: false })
      for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
        const request = { method, params: { uri: graphUri } }
        const { message } = await postMcp(`${server().url}/mcp`, apiKey, 'older', request)
        expect(message.error).toMatchObject({ code: -32601 })
      }
      const current = await connectOverHttp(server(), apiKey, 'auto')
      open.push(current)
      expect(current.getServerCapabilities()?.resources).toEqual({ listChanged: false, subscribe: true })
    })

    test('never concern another account', async () => {
      const [alice, bob] = [await server().signUp('alice'), await server().signUp('bob')]
      const { updates } = await listen(server(), alice.apiKey, graphUri, entityUri('Shared name'))
      const { updates: bobs } = await listen(server(), bob.apiKey, graphUri)
      await create(bob, 'Shared name')
      await heard(bobs, graphUri)
      await create(alice, 'Something else')
      await heard(updates, graphUri)
    })

    test('arrive if another process made the change', async () => {
      const alice = await server().signUp()
      const { updates } = await listen(server(), alice.token, graphUri)
      const twin = await listenOn(await openContext(server().config, pino({ level: 'silent' })))
      const rest = createRestClient({ baseUrl: twin.url, token: () => alice.token })
      await rest.createEntity({ body: { name: 'From elsewhere', type: 'thing' } })
      await heard(updates, graphUri)
      await twin.close()
    })

    test('end when the key is deleted, and later changes are not reported', async () => {
      const alice = await server().signUp()
      const { id, apiKey } = await alice.rest.createKey({ body: { name: 'agent', permissions: [] } })
      const { updates, subscription } = await listen(server(), apiKey, graphUri)
      const { updates: others } = await listen(server(), alice.apiKey, graphUri)
      await alice.rest.deleteKey({ params: { id } })
      await create(alice, 'A secret')
      expect(await subscription.closed).toBe('remote')
      await heard(others, graphUri)
      expect(updates).toEqual([])
    })

    test('end with the server, which says when to come back', async () => {
      const alice = await server().signUp()
      const twin = await listenOn(await openContext(server().config, pino({ level: 'silent' })))
      const streams = await Promise.all([1, 2, 3].map(() => openStream(twin.url, alice.apiKey)))
      await twin.close()
      const ends = await Promise.all(streams.map(({ whole }) => whole))
      const waits = ends.map((end) => Number(/^retry: (\d+)$/m.exec(end)?.[1]))
      for (const wait of waits) expect(wait).toBeLessThan(5_000)
      expect(new Set(waits).size).toBeGreaterThan(1)
      for (const end of ends) expect(end.slice(end.indexOf('retry:'))).toMatch(/"result":/)
    })

    test('are refused to an account that already has a hundred streams open', async () => {
      const alice = await server().signUp()
      const client = await connectOverHttp(server(), alice.apiKey, 'auto')
      const updates = updatesOf(client)
      const streams: McpSubscription[] = []
      for (let i = 0; i < 100; i++) streams.push(await client.listen({ resourceSubscriptions: [graphUri] }))
      await expect(client.listen({ resourceSubscriptions: [graphUri] })).rejects.toThrow()
      await streams.pop()?.close()
      await vi.waitFor(() => client.listen({ resourceSubscriptions: [graphUri] }), patience)
      expect(updates).toEqual([])
    })
  })

  test('through the bridge miss nothing while the server restarts', async () => {
    const alice = await server().signUp()
    const env = { PORT: String(await freePort()) }
    const first = await startServerProcess(server().config, { env })
    const bridge = { LOCI_URL: first.url, LOCI_API_KEY: alice.apiKey }
    const client = await connectOverStdio(bridge, 'auto')
    const updates = updatesOf(client)
    await client.listen({ resourceSubscriptions: [graphUri] })
    await first.stop()
    await create(alice, 'Made meanwhile')
    const second = await startServerProcess(server().config, { env })
    await heard(updates, graphUri)
    await create(alice, 'Made later')
    await heard(updates, graphUri, graphUri)
    await second.stop()
  })

  describe('over stdio', () => {
    const env = (person: Person) => {
      const { dataDir, databaseUrl = '', secret = '' } = server().config
      const place = { LOCI_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOCI_SECRET: secret }
      return { ...place, LOCI_API_KEY: person.apiKey }
    }

    test('arrive for what was subscribed to, whoever made the change', async () => {
      const [alice, bob] = [await server().signUp('alice'), await server().signUp('bob')]
      const client = await connectOverStdio(env(alice), 'auto')
      const updates = updatesOf(client)
      await client.listen({ resourceSubscriptions: [graphUri, entityUri('Ada')] })
      await create(bob, 'Ada')
      await create(alice, 'Bea')
      await heard(updates, graphUri)
      await client.callTool({
        name: 'create_entities',
        arguments: { entities: [{ name: 'Ada', entityType: 'person', observations: ['One'] }] },
      })
      await heard(updates, graphUri, graphUri, entityUri('Ada'))
    })

    test('reach a client of the older era for the addresses that it subscribed to', async () => {
      const alice = await server().signUp()
      const client = await connectOverStdio(env(alice), 'legacy')
      const updates = updatesOf(client)
      await client.subscribeResource({ uri: entityUri('Ada') })
      await create(alice, 'Bea')
      const { entity } = await create(alice, 'Ada')
      await heard(updates, entityUri('Ada'))
      await client.unsubscribeResource({ uri: entityUri('Ada') })
      await client.subscribeResource({ uri: graphUri })
      await alice.rest.deleteEntity({ params: { id: entity.id } })
      await heard(updates, entityUri('Ada'), graphUri)
    })
  })
})
