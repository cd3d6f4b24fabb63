import { get } from 'node:http'
import { RealtimeClient } from '@loci/client/realtime'
import { realtimeMessageBytesMax, realtimeProtocol } from '@loci/contract/realtime'
import pino from 'pino'
import { expect, it, vi } from 'vitest'
import { openTwin } from '../../../test/accounts.ts'
import { describeOnBothDatabases, listenOn, type Person } from '../../../test/harness.ts'
import { connect, openSocket, patience } from '../../../test/socket.ts'
import { openContext } from '../../open-context.ts'

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i)
const thing = (name: string, observations: string[] = []) => ({ body: { name, type: 'thing', observations } })

async function follow(url: string, person: Person, since?: number) {
  const client = await connect(url, person.token)
  client.send({ type: 'subscribe_to_graph_changes', payload: since === undefined ? {} : { since } })
  await client.heard('subscribed')
  return client
}

describeOnBothDatabases('the realtime interface', (server) => {
  it('accepts a session token or a key, in the address, the header or the subprotocol', async () => {
    const alice = await server().signUp()
    const { url } = server()
    const clients = [
      openSocket(url, {}, `?api_key=${alice.apiKey}`),
      openSocket(url, { headers: { authorization: `Bearer ${alice.token}` } }),
      openSocket(url, {}, '', [realtimeProtocol, alice.token]),
    ]
    for (const client of clients) {
      expect(await client.heard('connected')).toMatchObject({ payload: { seq: 0 } })
      client.socket.close()
    }
    expect(clients.map((client) => client.socket.protocol)).toEqual(['', '', realtimeProtocol])
  })

  it('refuses an invalid key and a missing one at the upgrade', async () => {
    for (const query of ['', '?api_key=loci_wrong', '?api_key=%E0%A4%A', '?api_key=a&api_key=b']) {
      const refusal = await openSocket(server().url, {}, query).refusal()
      expect(refusal.status).toBe(401)
      expect(refusal.headers['www-authenticate']).toContain('Bearer')
      expect(refusal.body.error.code).toBe('not_authenticated')
    }
  })

  it('lets only pages of its own origin connect', async () => {
    const alice = await server().signUp()
    const { url } = server()
    const headers = { authorization: `Bearer ${alice.token}` }
    const own = openSocket(url, { headers, origin: url })
    await own.heard('connected')
    own.socket.close()
    for (const origin of ['https://evil.example', 'null', url.replace(/\d$/, '')]) {
      const refusal = await openSocket(url, { headers, origin }).refusal()
      expect(refusal).toMatchObject({ status: 403, body: { error: { code: 'origin_not_allowed' } } })
    }
  })

  it('refuses a space that is named twice', async () => {
    const alice = await server().signUp()
    const query = `?api_key=${alice.token}&space=default&space=other`
    const refusal = await openSocket(server().url, {}, query).refusal()
    expect(refusal).toMatchObject({
      status: 400,
      body: { error: { message: 'space is given more than once' } },
    })
  })

  it('leaves requests for other upgrades to HTTP', async () => {
    const status = await new Promise((resolve) => {
      const headers = { connection: 'Upgrade', upgrade: 'h2c' }
      get(`${server().url}/healthz`, { headers }, (response) => resolve(response.resume().statusCode))
    })
    expect(status).toBe(200)
  })

  it('sends every change of the graph to subscribers', async () => {
    const alice = await server().signUp()
    const client = await follow(server().url, alice)
    const { entity: ada } = await alice.rest.createEntity(thing('Ada', ['first', 'second']))
    const { entity: bob } = await alice.rest.createEntity(thing('Bob'))
    const { relation } = await alice.rest.createRelation({
      body: { fromEntityId: ada.id, toEntityId: bob.id, type: 'knows' },
    })
    await alice.rest.updateRelation({ params: { id: relation.id }, body: { type: 'likes' } })
    await alice.rest.updateEntity({ params: { id: bob.id }, body: { name: 'Rob', type: 'person' } })
    await alice.rest.deleteObservation({
      params: { id: ada.id, observationId: ada.observations[0]!.id },
    })
    await alice.rest.deleteEntity({ params: { id: ada.id } })
    await client.heard('entity_deleted')
    const relationSummary = { id: relation.id, fromEntityId: ada.id, toEntityId: bob.id }
    expect(client.events().map(({ type, payload }) => [type, payload])).toEqual([
      ['entity_created', { id: ada.id, name: 'Ada', type: 'thing' }],
      ['observation_added', { entityId: ada.id, observationId: ada.observations[0]!.id }],
      ['observation_added', { entityId: ada.id, observationId: ada.observations[1]!.id }],
      ['entity_created', { id: bob.id, name: 'Bob', type: 'thing' }],
      ['relation_created', { ...relationSummary, relationType: 'knows' }],
      ['relation_updated', { ...relationSummary, relationType: 'likes' }],
      ['entity_updated', { id: bob.id, name: 'Rob', type: 'person' }],
      [
        'entity_updated',
        { id: ada.id, name: 'Ada', type: 'thing', observationsDeleted: [ada.observations[0]!.id] },
      ],
      ['relation_deleted', { relationId: relation.id }],
      ['entity_deleted', { entityId: ada.id, name: 'Ada' }],
    ])
    client.socket.close()
  })

  it('sends corrections, merges and undos', async () => {
    const alice = await server().signUp()
    const { entity: ada } = await alice.rest.createEntity(thing('Ada', ['one']))
    const { entity: eve } = await alice.rest.createEntity(thing('Eve'))
    const { entity: bob } = await alice.rest.createEntity(thing('Bob'))
    const { relation } = await alice.rest.createRelation({
      body: { fromEntityId: ada.id, toEntityId: bob.id, type: 'knows' },
    })
    const client = await follow(server().url, alice)
    const params = { id: ada.id, observationId: ada.observations[0]!.id }
    await alice.rest.updateObservation({ params, body: { content: 'uno' } })
    const { setId } = await alice.rest.mergeEntity({ params: { id: ada.id }, body: { into: eve.id } })
    await client.heard('entity_deleted')
    await alice.rest.undoChangeSet({ params: { setId } })
    await alice.rest.eraseEntity({ params: { id: ada.id } })
    await vi.waitFor(() => expect(client.events().at(-1)?.type).toBe('entity_deleted'), patience)
    const moved = (fromEntityId: string) => ({
      id: relation.id,
      fromEntityId,
      toEntityId: bob.id,
      relationType: 'knows',
    })
    const named = ({ id, name, type }: typeof ada) => ({ id, name, type })
    const told = client.events().map(({ type, payload }) => [type, payload])
    const observationsUpdated = [ada.observations[0]!.id]
    expect(told.slice(0, 8)).toEqual([
      ['entity_updated', { ...named(ada), observationsUpdated }],
      ['entity_updated', named(eve)],
      ['entity_updated', { ...named(eve), observationsUpdated }],
      ['relation_updated', moved(eve.id)],
      ['entity_deleted', { entityId: ada.id, name: 'Ada', merged: true }],
      ['entity_updated', named(eve)],
      ['entity_created', named(ada)],
      ['entity_updated', { ...named(ada), observationsUpdated }],
    ])
    expect(told.slice(8, 9)).toEqual([['relation_updated', moved(ada.id)]])
    expect(told.at(-1)).toEqual(['entity_deleted', { entityId: ada.id, name: '' }])
    client.socket.close()
  })

  it('sends restored entities, renamed types, and erasures after a deletion', async () => {
    const alice = await server().signUp()
    const { entity: ada } = await alice.rest.createEntity(thing('Ada', ['one']))
    const { entity: eve } = await alice.rest.createEntity(thing('Eve'))
    await alice.rest.deleteEntity({ params: { id: ada.id } })
    await alice.rest.deleteEntity({ params: { id: eve.id } })
    const client = await follow(server().url, alice)
    await alice.rest.restoreEntity({ params: { id: ada.id } })
    await alice.rest.updateEntityType({ params: { type: 'thing' }, body: { type: 'person' } })
    await alice.rest.eraseEntity({ params: { id: eve.id } })
    await client.heard('entity_deleted')
    expect(client.events().map(({ type, payload }) => [type, payload])).toEqual([
      ['entity_created', { id: ada.id, name: 'Ada', type: 'thing' }],
      ['observation_added', { entityId: ada.id, observationId: ada.observations[0]!.id }],
      ['entity_updated', { id: ada.id, name: 'Ada', type: 'person' }],
      ['entity_deleted', { entityId: eve.id, name: '' }],
    ])
    client.socket.close()
  })

  it('sends several observations deleted at once as one update', async () => {
    const alice = await server().signUp()
    const { entity } = await alice.rest.createEntity(thing('Ada', ['one', 'two', 'three']))
    const client = await follow(server().url, alice)
    const body = { name: 'Ada', type: 'thing', observations: ['three', 'four'] }
    await alice.rest.updateEntity({ params: { id: entity.id }, body })
    await client.heard('observation_added')
    const [one, two] = entity.observations.map(({ id }) => id)
    expect(client.events().map((event) => event.type)).toEqual(['entity_updated', 'observation_added'])
    expect(client.events()[0]?.payload).toMatchObject({ observationsDeleted: [one, two] })
    client.socket.close()
  })

  it('sends followers of an entity only what concerns it', async () => {
    const alice = await server().signUp()
    const { entity: ada } = await alice.rest.createEntity(thing('Ada'))
    const { entity: bob } = await alice.rest.createEntity(thing('Bob'))
    const { entity: cat } = await alice.rest.createEntity(thing('Cat'))
    const client = await connect(server().url, alice.token)
    client.send({ type: 'subscribe_to_entity', payload: { entityId: bob.id } })
    client.send({ type: 'subscribe_to_entity', payload: { entityId: cat.id } })
    client.send({ type: 'unsubscribe_from_entity', payload: { entityId: cat.id } })
    expect(await client.heard('subscribed', 2)).toMatchObject({ payload: { entityId: cat.id, seq: 3 } })
    expect(await client.heard('unsubscribed')).toMatchObject({ payload: { entityId: cat.id } })
    const observations = (id: string) => ({ params: { id }, body: { content: 'hello' } })
    await alice.rest.createObservations(observations(ada.id))
    await alice.rest.createObservations(observations(bob.id))
    const relate = (fromEntityId: string, toEntityId: string) =>
      alice.rest.createRelation({ body: { fromEntityId, toEntityId, type: 'knows' } })
    await relate(ada.id, cat.id)
    await relate(ada.id, bob.id)
    await alice.rest.deleteEntity({ params: { id: cat.id } })
    await alice.rest.deleteEntity({ params: { id: bob.id } })
    await client.heard('entity_deleted')
    expect(client.events().map((event) => event.type)).toEqual([
      'observation_added',
      'relation_created',
      'relation_deleted',
      'entity_deleted',
    ])
    client.socket.close()
  })

  it('replays what a client missed, once and in order, while two processes write', async () => {
    const alice = await server().signUp()
    const twin = await openTwin(server())
    const write = async (url: string, writer: string) => {
      for (let i = 0; i < 25; i++) {
        const response = await fetch(`${url}/api/entities`, {
          method: 'POST',
          headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(thing(`${writer} ${i}`, ['a', 'b']).body),
        })
        expect(response.status).toBe(201)
      }
    }
    let writing = true
    const writers = Promise.all([
      write(server().url, 'a'),
      write(twin.url, 'b'),
      write(server().url, 'c'),
    ]).finally(() => {
      writing = false
    })
    const seqs: number[] = []
    for (let i = 0; writing; i++) {
      const client = await follow(i % 2 === 0 ? server().url : twin.url, alice, seqs.at(-1) ?? 0)
      if (writing) await client.heard('entity_created')
      client.socket.terminate()
      seqs.push(...client.seqs())
    }
    await writers
    const last = 3 * 25 * 3
    if (seqs.at(-1) !== last) {
      const client = await follow(twin.url, alice, seqs.at(-1))
      await client.reached(last)
      client.socket.close()
      seqs.push(...client.seqs())
    }
    expect(seqs).toEqual(upTo(last))
    await twin.close()
  })

  it('replays a long log, and continues from its end if the client claims to be further', async () => {
    const alice = await server().signUp()
    const facts = upTo(998).map((i) => `fact ${i}`)
    await alice.rest.createEntity(thing('long', facts))
    const late = await follow(server().url, alice, 0)
    const ahead = await follow(server().url, alice, 5_000)
    await late.reached(999)
    await alice.rest.createEntity(thing('new'))
    await late.reached(1_000)
    await ahead.reached(1_000)
    expect(late.seqs()).toEqual(upTo(1_000))
    expect(ahead.seqs()).toEqual([1_000])
    late.socket.close()
    ahead.socket.close()
  })

  it('answers unreadable messages with an error and stays open', async () => {
    const alice = await server().signUp()
    const client = await connect(server().url, alice.token)
    const hostile = [
      '',
      '{',
      'null',
      '[]',
      '"ping"',
      '{"type":"shutdown"}',
      '{"type":"__proto__"}',
      '{"type":"subscribe_to_entity"}',
      '{"type":"subscribe_to_entity","payload":{"entityId":{"$ne":null}}}',
      '{"type":"subscribe_to_graph_changes","payload":{"since":-1}}',
      '{"type":"subscribe_to_graph_changes","payload":{"since":"1; drop table changes"}}',
      '['.repeat(60_000),
    ]
    for (const message of hostile) client.socket.send(message)
    client.socket.send(Buffer.from([0xff, 0x00, 0x80]))
    client.send({ id: 'still-there', type: 'ping' })
    expect(await client.heard('pong')).toMatchObject({ id: 'still-there' })
    const errors = client.messages.filter((message) => message.type === 'error')
    expect(errors).toHaveLength(hostile.length + 1)
    for (const { payload } of errors) {
      expect(['malformed_json', 'validation_failed']).toContain('code' in payload && payload.code)
    }
    client.socket.close()
  })

  it('closes on a message over the limit', async () => {
    const alice = await server().signUp()
    const client = await connect(server().url, alice.token)
    client.socket.send('x'.repeat(realtimeMessageBytesMax + 1))
    expect(await client.closed).toBe(1009)
  })

  it('checks the credentials again at each subscription', async () => {
    const alice = await server().signUp()
    const client = await connect(server().url, alice.token)
    await alice.rest.logout()
    client.send({ type: 'subscribe_to_graph_changes', payload: { since: 0 } })
    expect(await client.closed).toBe(1008)
  })

  it('drops a client that does not answer pings, and keeps one that does', async () => {
    const hasty = await openTwin(server(), { realtimeLimits: { roundMs: 50 } })
    const alice = await server().signUp()
    const live = await connect(hasty.url, alice.token)
    const dead = await connect(hasty.url, alice.token, { autoPong: false })
    expect(await dead.closed).toBe(1006)
    live.send({ type: 'ping', payload: {} })
    await live.heard('pong')
    live.socket.close()
    await hasty.close()
  })

  it('drops a client that does not read, and serves the others', async () => {
    const strict = await openTwin(server(), {
      realtimeLimits: { bufferBytesMax: 16 * 1024, closeGraceMs: 30_000 },
    })
    const alice = await server().signUp()
    const noted = vi.spyOn(strict.ctx.log, 'info')
    const slow = await connect(strict.url, alice.token)
    const other = await follow(strict.url, alice)
    slow.socket.pause()
    const ping = JSON.stringify({ id: 'x'.repeat(128), type: 'ping', payload: {} })
    const dropped = () => noted.mock.calls.some(([, note]) => note?.includes('does not keep up'))
    while (!dropped()) {
      for (let i = 0; i < 500; i++) slow.socket.send(ping)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await alice.rest.createEntity(thing('news'))
    await other.reached(1)
    slow.socket.resume()
    expect(await slow.closed).toBe(1013)
    other.socket.close()
    await strict.close()
  })

  it('limits the connections of an account', async () => {
    const narrow = await openTwin(server(), { realtimeLimits: { connectionsPerAccountMax: 2 } })
    const alice = await server().signUp('alice')
    const bob = await server().signUp('bob')
    const first = await connect(narrow.url, alice.token)
    const second = await connect(narrow.url, alice.apiKey)
    const refusal = await openSocket(narrow.url, {}, `?api_key=${alice.token}`).refusal()
    expect(refusal).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(refusal.headers['retry-after']).toBeDefined()
    const bobs = await connect(narrow.url, bob.token)
    first.socket.close()
    await first.closed
    const again = await connect(narrow.url, alice.token)
    for (const client of [second, bobs, again]) client.socket.close()
    await narrow.close()
  })

  it('says goodbye when the server stops, and does not wait for clients that do not answer', async () => {
    const twin = await openTwin(server(), { realtimeLimits: { closeGraceMs: 100 } })
    const alice = await server().signUp()
    const polite = await follow(twin.url, alice)
    const deaf = await follow(twin.url, alice)
    deaf.socket.pause()
    await twin.close()
    expect(await polite.closed).toBe(1012)
    deaf.socket.terminate()
  })

  it('never logs a key', async () => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const twin = await listenOn(await openContext(server().config, log))
    const alice = await server().signUp()
    const good = openSocket(twin.url, {}, `?api_key=${alice.apiKey}`)
    await good.heard('connected')
    good.socket.close()
    const secret = alice.apiKey.slice(0, -1)
    await openSocket(twin.url, {}, `?api_key=${secret}!`).refusal()
    expect((await fetch(`${twin.url}/ws/connect?api_key=${alice.apiKey}`)).status).toBe(404)
    await twin.close()
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join()).not.toContain(secret)
  })

  it("serves the workspace's own client", async () => {
    const alice = await server().signUp()
    const client = new RealtimeClient({ baseUrl: server().url, token: alice.token })
    const names: unknown[] = []
    client.on('entity_created', (event) => names.push(event.payload.name))
    const subscribed = new Promise((resolve) => client.on('subscribed', resolve))
    client.connect()
    await subscribed
    await alice.rest.createEntity(thing('one'))
    await vi.waitFor(() => expect(names).toEqual(['one']), patience)
    client.close()
  })

  it('rewinds its client when a backup was restored', async () => {
    const alice = await server().signUp()
    const client = new RealtimeClient({ baseUrl: server().url, token: alice.token, since: 1_000 })
    const names: unknown[] = []
    client.on('entity_created', (event) => names.push(event.payload.name))
    const rewound = new Promise<void>((resolve) => client.onRewind(resolve))
    client.connect()
    await rewound
    await alice.rest.createEntity(thing('after'))
    await vi.waitFor(() => expect(names).toEqual(['after']), patience)
    client.close()
  })
})
