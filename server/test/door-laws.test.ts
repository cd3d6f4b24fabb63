import { ClientMessage } from '@loci/contract/realtime'
import { beforeAll, expect, test, vi } from 'vitest'
import { listPrompts } from '../src/doors/mcp/prompts.ts'
import { tools } from '../src/doors/mcp/tools/index.ts'
import { addMember } from './accounts.ts'
import { endCredentials } from './dead-credentials.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { postMcp } from './mcp-raw.ts'
import { connect, openSocket, patience } from './socket.ts'

/** Must never reach anybody who cannot read alice's memory. */
const secret = 'Zanzibar7731'
const [hidden, other] = ['Hidden Project', 'Hidden Partner']
/** As long as her name, and of the same words but one. */
const absentOf = (name: string) => name.replace('Hidden', 'Absent')

/** Calls of every tool on entities named like `one` and `two`. */
const callsOf = (one: string, two: string): Record<string, object> => ({
  create_entities: { entities: [] },
  create_relations: { relations: [{ from: one, to: two, relationType: 'knows' }] },
  add_observations: { observations: [{ entityName: one, contents: ['spied'] }] },
  delete_entities: { entityNames: [one] },
  delete_observations: { deletions: [{ entityName: one, observations: ['x'] }] },
  delete_relations: { relations: [{ from: one, to: two, relationType: 'knows' }] },
  read_graph: {},
  search_nodes: { query: one },
  open_nodes: { names: [one, two] },
  recall: { query: one },
  explore_entity: { name: one, depth: 5 },
  find_path: { from: one, to: two },
  update_entity: { name: one, newName: 'Mine now' },
  update_observation: { entityName: one, observation: 'x', newObservation: 'mine' },
  update_relation: { from: one, to: two, relationType: 'knows', newRelationType: 'mine' },
  merge_entities: { names: [one], into: two },
  find_duplicates: {},
  undo_changes: { number: 1 },
  list_changes: {},
  list_spaces: {},
  open_conversation: { id: one },
})

/** All MCP requests that read or write a memory, except tool calls. */
const requests = (name: string) => [
  { method: 'resources/read', params: { uri: 'memory://knowledge-graph' } },
  { method: 'resources/read', params: { uri: `memory://entities/${encodeURIComponent(name)}` } },
  {
    method: 'completion/complete',
    params: {
      ref: { type: 'ref/resource', uri: 'memory://entities/{name}' },
      argument: { name: 'name', value: name.slice(0, 6) },
    },
  },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'save_after_task' }, argument: { name: 'focus', value: 'z' } },
  },
]

describeOnBothDatabases('laws of MCP and the socket', (server) => {
  let alice: Person
  let bob: Person
  let ended: Record<string, string>
  let hiddenId: string

  beforeAll(async () => {
    alice = await server().signUp('alice')
    bob = await server().signUp('bob')
    ended = await endCredentials(server())
    const metadata = { code: secret }
    const make = (name: string) => ({ name, type: secret, observations: [`x ${secret}`], metadata })
    const { entities } = await alice.rest.createBatch({
      body: {
        entities: [make(hidden), make(other)],
        relations: [{ from: hidden, to: other, type: `knows ${secret}` }],
      },
    })
    hiddenId = entities.created[0]!.id
  })

  const mcp = () => `${server().url}/mcp`
  const callTool = (token: string, name: string, args: object) =>
    postMcp(mcp(), token, 'current', { method: 'tools/call', params: { name, arguments: args } })

  test('every tool is tried here', () => {
    expect(Object.keys(callsOf('', '')).sort()).toEqual(tools.map(({ name }) => name).sort())
  })

  test('ended credentials open neither MCP nor the socket', async () => {
    const listed = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']
    const calls = [
      { method: 'initialize', params: {} },
      {
        method: 'subscriptions/listen',
        params: { notifications: { resourceSubscriptions: ['memory://knowledge-graph'] } },
      },
      { method: 'prompts/get', params: { name: 'recall_before_task', arguments: { task: 'x' } } },
      ...listed.map((method) => ({ method, params: {} })),
      ...requests(hidden),
      ...Object.entries(callsOf(hidden, other)).map(([name, args]) => ({
        method: 'tools/call',
        params: { name, arguments: args },
      })),
    ]
    for (const [way, token] of Object.entries({ ...ended, nobody: '' })) {
      for (const era of ['older', 'current'] as const) {
        for (const call of calls) {
          const { status, headers, message } = await postMcp(mcp(), token, era, call)
          expect([way, call.method, status, message.error?.data?.code]).toEqual([
            way,
            call.method,
            401,
            'not_authenticated',
          ])
          expect(headers['www-authenticate']).toMatch(/^Bearer /)
        }
      }
      for (const method of ['GET', 'DELETE']) {
        expect((await server().call(method, '/mcp', { token })).status).toBe(401)
      }
      const refusal = await openSocket(server().url, {}, `?api_key=${token}`).refusal()
      expect([way, refusal.status, refusal.body.error.code]).toEqual([way, 401, 'not_authenticated'])
    }
  })

  test.each(tools.map(({ name }) => name))(
    '%s tells another account no more than for something that does not exist, and changes nothing',
    async (name) => {
      const before = await (await alice.rest.export()).text()
      const told = async (one: string, two: string) => {
        const { message } = await callTool(bob.apiKey, name, callsOf(one, two)[name]!)
        return JSON.stringify(message).replaceAll('Hidden', 'Absent')
      }
      const answer = await told(hidden, other)
      expect(answer).not.toContain(secret)
      expect(answer).toBe(await told(absentOf(hidden), absentOf(other)))
      const withoutHeader = (text: string) => text.split('\n').slice(1)
      expect(withoutHeader(await (await alice.rest.export()).text())).toEqual(withoutHeader(before))
    },
  )

  test('resources and completions reveal nothing to another account', async () => {
    for (const [i, call] of requests(hidden).entries()) {
      const { message } = await postMcp(mcp(), bob.apiKey, 'current', call)
      const text = JSON.stringify(message)
      expect(text).not.toContain(secret)
      const absent = await postMcp(mcp(), bob.apiKey, 'current', requests(absentOf(hidden))[i]!)
      expect(text.replaceAll('Hidden', 'Absent')).toBe(JSON.stringify(absent.message))
      const own = await postMcp(mcp(), alice.apiKey, 'current', call)
      if (call.method === 'resources/read') expect(JSON.stringify(own.message)).toContain(secret)
    }
  })

  test('a member of the account reads what the owner reads', async () => {
    const member = await addMember(server(), alice)
    const { apiKey } = await member.me()
    for (const name of ['read_graph', 'recall', 'explore_entity', 'open_nodes', 'search_nodes']) {
      const { message } = await callTool(apiKey!, name, callsOf(hidden, other)[name]!)
      expect([name, JSON.stringify(message).includes(secret)]).toEqual([name, true])
    }
    const client = await connect(server().url, apiKey!)
    client.send({ type: 'subscribe_to_graph_changes', payload: { since: 0 } })
    await client.heard('entity_created', 2)
    client.socket.close()
  })

  test('no socket message shows what another account does', async () => {
    const payloads: Record<string, object> = {
      subscribe_to_entity: { entityId: hiddenId },
      unsubscribe_from_entity: { entityId: hiddenId },
      subscribe_to_graph_changes: { since: 0 },
      ping: {},
    }
    const types = ClientMessage.options.map(({ shape }) => shape.type.value)
    expect(Object.keys(payloads).sort()).toEqual([...types].sort())
    const spies = await Promise.all(types.map(() => connect(server().url, bob.apiKey)))
    const friend = await connect(server().url, alice.apiKey)
    for (const [i, type] of types.entries()) {
      spies[i]!.send({ type, payload: payloads[type] } as ClientMessage)
      await vi.waitFor(() => expect(spies[i]!.messages.length).toBe(2), patience)
    }
    friend.send({ type: 'subscribe_to_entity', payload: { entityId: hiddenId } })
    await friend.heard('subscribed')
    await alice.rest.createObservations({ params: { id: hiddenId }, body: { content: `more ${secret}` } })
    await friend.heard('observation_added')
    const { entity } = await bob.rest.createEntity({ body: { name: 'Own', type: 'thing' } })
    await spies[types.indexOf('subscribe_to_graph_changes')]!.heard('entity_created')
    for (const spy of spies) {
      const events = spy.events().map(({ type, payload }) => [type, payload])
      for (const event of events)
        expect(event).toEqual(['entity_created', { id: entity.id, name: 'Own', type: 'thing' }])
      expect(JSON.stringify(spy.messages)).not.toContain(secret)
      spy.socket.close()
    }
    friend.socket.close()
  })

  test("every prompt is shown to everybody who may sign in, and contains nobody's data", async () => {
    for (const { name, arguments: wanted = [] } of listPrompts(() => true)) {
      const params = { name, arguments: Object.fromEntries(wanted.map((argument) => [argument.name, 'x'])) }
      const { message } = await postMcp(mcp(), bob.apiKey, 'current', { method: 'prompts/get', params })
      expect(message.result.messages).toHaveLength(1)
      expect(JSON.stringify(message)).not.toContain(secret)
    }
  })
})
