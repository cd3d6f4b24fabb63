import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { spaceHeader } from '@loci/contract/spaces'
import { beforeAll, expect, test } from 'vitest'
import { tools } from '../src/doors/mcp/tools/index.ts'
import { setPlan } from './accounts.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { postMcp } from './mcp-raw.ts'
import { connect } from './socket.ts'

/** Must never reach anybody who cannot read the first space. */
const secret = 'Zanzibar7731'
const endpoints = Object.entries<Endpoint>(api)
const ofGraph = endpoints.filter(
  ([, { access, tag }]) => /^(?:memory|conversations):/.test(access) || tag === 'Entities',
)
const reads = ofGraph.filter(([, { path, method, spaceless }]) => {
  return method === 'GET' && !path.includes(':') && spaceless !== true
})
/** Rights that no key has. */
const ofPeople = new Set(['account:manage', 'memory:share', 'memory:review'])
/** Only a person decides. */
const decisions = new Set(['acceptProposal', 'rejectProposal', 'deleteAcceptRule'])
const withId = ofGraph.filter(([, { path, spaceless }]) => path.includes(':') && spaceless !== true)

/** The query that a call needs to be valid. */
const queries: Record<string, string> = {
  search: 'query=hidden',
  searchObservations: 'query=hidden',
  shortestPath: 'from=ent_1&to=ent_2',
  graphNotes: 'ids=$entity',
  listCitedObservations: 'repository=hidden',
  listSourcedObservations: 'conversation=cnv_1',
  searchTurns: 'query=hidden',
}
const bodies: Record<string, object> = {
  updateEntity: { name: 'Mine now', type: 'person' },
  createObservations: { content: 'Mine now' },
  updateRelation: { type: 'mine' },
  updateObservation: { content: 'Mine now' },
  mergeEntity: { into: 'ent_yyyyyy' },
  updateEntityType: { type: 'mine' },
  updateView: { name: 'Mine now' },
  nameRegion: { name: 'Mine now' },
}

describeOnBothDatabases('laws of spaces', (server) => {
  let alice: Person
  let tokens: Record<string, { token: string; headers?: Record<string, string> }>
  let ids: Record<string, string>

  beforeAll(async () => {
    alice = await server().signUp('alice')
    await setPlan(server(), alice, 'pro')
    const { rest } = alice
    const bob = await server().signUp('bob')
    await rest.createSpace({ body: { name: 'elsewhere' } })
    const make = (name: string) => ({
      name,
      type: `thing ${secret}`,
      observations: [`hidden ${secret}`],
      metadata: { code: secret },
    })
    const { entities, relations } = await rest.createBatch({
      body: {
        entities: [make('Hidden Project'), make('Hidden Partner')],
        relations: [{ from: 'Hidden Project', to: 'Hidden Partner', type: `knows ${secret}` }],
      },
    })
    const id = entities.created[0]!.id
    const { entity } = await rest.getEntity({ params: { id } })
    const { import: imported } = await rest.import({ body: '' })
    const { conversationId } = await rest.storeTurns({
      body: {
        conversation: { agent: 'a', externalId: 'b', title: `hidden ${secret}` },
        turns: [{ externalId: 'c', at: '2026-01-01', role: 'person', text: `hidden ${secret}` }],
      },
    })
    const bound = await rest.createKey({ body: { name: 'bound', spaces: ['elsewhere'] } })
    tokens = {
      'a key of another space': { token: bound.apiKey },
      'a session on another space': { token: alice.token, headers: { [spaceHeader]: 'elsewhere' } },
      'a session of another account': { token: bob.token, headers: {} },
    }
    ids = {
      '/api/relations': relations.created[0]!.id,
      '/api/imports': imported.id,
      '/api/entities': id,
      '/api/relations/graph': id,
      '/api/conversations': conversationId,
      '/api/regions': id,
      '/api/observations': entity.observations[0]!.id,
      '/api/entities/types': encodeURIComponent(`thing ${secret}`),
      observation: entity.observations[0]!.id,
    }
  })

  const addressOf = (path: string) =>
    path
      .replace(':observationId', ids.observation!)
      .replace(/^(.*?)\/:(\w+)/, (_, prefix: string) => `${prefix}/${ids[prefix] ?? 'x'}`)

  test('no list, search, export or figure of a space contains anything from another', async () => {
    for (const { token, headers } of Object.values(tokens)) {
      for (const [id, { path, access }] of reads) {
        const response = await fetch(
          `${server().url}${path}?${(queries[id] ?? '').replace('$entity', ids['/api/entities']!)}`,
          {
            headers: { authorization: `Bearer ${token}`, ...headers },
          },
        )
        const isForbidden = ofPeople.has(access) && headers === undefined
        expect([id, response.status]).toEqual([id, isForbidden ? 403 : id === 'shortestPath' ? 404 : 200])
        expect([id, (await response.text()).includes(secret)]).toEqual([id, false])
      }
    }
  })

  test('ids of a space mean nothing in another', async () => {
    const before = await (await alice.rest.export()).text()
    for (const [who, { token, headers }] of Object.entries(tokens)) {
      for (const [id, { method, path, access }] of withId) {
        const body = bodies[id]
        const answer = await server().call(method, addressOf(path), {
          token,
          ...(headers && { headers }),
          ...(body && { body }),
        })
        const isForbidden = (ofPeople.has(access) || decisions.has(id)) && headers === undefined
        expect([who, id, answer.status]).toEqual([who, id, isForbidden ? 403 : 404])
      }
    }
    const withoutHeader = (text: string) => text.split('\n').slice(1)
    expect(withoutHeader(await (await alice.rest.export()).text())).toEqual(withoutHeader(before))
  })

  test('no tool, resource or completion reveals another space', async () => {
    const args = { query: 'hidden', names: ['Hidden Project'], name: 'Hidden Project' }
    const ends = { from: 'Hidden Project', to: 'Hidden Partner' }
    const asked = tools
      .filter(({ right }) => right === 'memory:read')
      .map(({ name }) => ({
        method: 'tools/call',
        params: { name, arguments: name === 'list_changes' ? {} : { ...args, ...ends } },
      }))
    const ref = { type: 'ref/resource', uri: 'memory://entities/{name}' }
    const calls = [
      ...asked,
      { method: 'resources/read', params: { uri: 'memory://knowledge-graph' } },
      { method: 'resources/read', params: { uri: 'memory://entities/Hidden%20Project' } },
      { method: 'completion/complete', params: { ref, argument: { name: 'name', value: 'Hid' } } },
    ]
    const { token } = tokens['a key of another space']!
    const ways = [
      { token, path: '/mcp' },
      { token: alice.apiKey, path: '/mcp/spaces/elsewhere' },
    ]
    for (const way of ways) {
      for (const call of calls) {
        const { message } = await postMcp(`${server().url}${way.path}`, way.token, 'current', call)
        expect([call.params, JSON.stringify(message).includes(secret)]).toEqual([call.params, false])
      }
    }
    const here = await postMcp(`${server().url}/mcp`, alice.apiKey, 'current', calls.at(-3)!)
    expect(JSON.stringify(here.message)).toContain(secret)
  })

  test('the socket sends what happens in its space, and nothing from another', async () => {
    const { token } = tokens['a key of another space']!
    const [spy, friend] = [await connect(server().url, token), await connect(server().url, alice.apiKey)]
    for (const socket of [spy, friend]) {
      socket.send({ type: 'subscribe_to_graph_changes', payload: { since: 0 } })
      socket.send({ type: 'subscribe_to_entity', payload: { entityId: ids['/api/entities']! } })
      await socket.heard('subscribed', 2)
    }
    await alice.rest.createObservations({
      params: { id: ids['/api/entities']! },
      body: { content: `more ${secret}` },
    })
    await friend.heard('observation_added')
    await alice.rest.createEntity({
      body: { name: 'Own', type: 'thing' },
      headers: { [spaceHeader]: 'elsewhere' },
    })
    await spy.heard('entity_created')
    expect(spy.events().map(({ type, payload }) => [type, Reflect.get(payload, 'name')])).toEqual([
      ['entity_created', 'Own'],
    ])
    for (const { socket } of [spy, friend]) socket.close()
  })
})
