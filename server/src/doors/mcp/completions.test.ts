import type { Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

const template = { type: 'ref/resource', uri: 'memory://entities/{name}' } as const
const savePrompt = { type: 'ref/prompt', name: 'save_after_task' } as const
const open: Client[] = []

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

async function connect(server: TestServer, person: Person, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = await connectOverHttp(server, person.apiKey, mode)
  open.push(client)
  return client
}

async function complete(
  client: Client,
  typed: string,
  ref: typeof template | { type: 'ref/prompt'; name: string } = template,
  name = 'name',
) {
  return (await client.complete({ ref, argument: { name, value: typed } })).completion
}

const batch = (names: string[], type = 'thing') => ({
  body: { entities: names.map((name) => ({ name, type, observations: [`About ${name}`] })), relations: [] },
})

describeOnBothDatabases('completions', (server) => {
  test.each(['auto', 'legacy'] as const)('are of entity names, mode %s', async (mode) => {
    const alice = await server().signUp()
    await alice.rest.createBatch(batch(['Zanzibar Project', 'Ada Lovelace', 'Adam Smith', 'Canada']))
    const client = await connect(server(), alice, mode)
    expect(client.getServerCapabilities()?.completions).toEqual({})
    const all = await complete(client, '')
    expect(all).toMatchObject({ total: 4, hasMore: false })
    expect([...all.values].sort()).toEqual(['Ada Lovelace', 'Adam Smith', 'Canada', 'Zanzibar Project'])
    const ada = await complete(client, 'ada')
    expect(ada).toEqual({ values: ['Ada Lovelace', 'Adam Smith', 'Canada'], total: 3, hasMore: false })
    expect((await complete(client, 'ADAM s')).values).toEqual(['Adam Smith'])
    expect((await complete(client, 'zanzibar-p')).values).toEqual(['Zanzibar Project'])
    expect(await complete(client, 'nobody')).toEqual({ values: [], total: 0, hasMore: false })
    expect((await complete(client, 'x\0')).values).toEqual([])
  })

  test('offer types and names for entities to focus on, and nothing for free text', async () => {
    const alice = await server().signUp()
    await alice.rest.createBatch(batch(['Personal website'], 'project'))
    await alice.rest.createBatch(batch(['Ada'], 'person'))
    const client = await connect(server(), alice, 'auto')
    expect((await complete(client, 'pers', savePrompt, 'focus')).values).toEqual([
      'person',
      'Personal website',
    ])
    const task = { type: 'ref/prompt', name: 'recall_before_task' } as const
    expect((await complete(client, 'pers', task, 'task')).values).toEqual([])
  })

  test('are at most a hundred, and never from another account', async () => {
    const [alice, bob] = [await server().signUp('alice'), await server().signUp('bob')]
    await alice.rest.createBatch(batch(Array.from({ length: 120 }, (_, i) => `Item ${i}`)))
    const client = await connect(server(), alice, 'auto')
    for (const typed of ['', 'item']) {
      const { values, total, hasMore } = await complete(client, typed)
      expect({ count: new Set(values).size, total, hasMore }).toEqual({
        count: 100,
        total: 120,
        hasMore: true,
      })
    }
    const other = await connect(server(), bob, 'auto')
    expect(await complete(other, 'item')).toEqual({ values: [], total: 0, hasMore: false })
  })

  test('come from search if there are too many names to look at', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'power-user')
    for (let part = 0; part < 3; part++) {
      await alice.rest.createBatch(batch(Array.from({ length: 700 }, (_, i) => `Item ${part} ${i}`)))
    }
    await alice.rest.createBatch(batch(['Zanzibar Project']))
    const client = await connect(server(), alice, 'auto')
    expect(await complete(client, 'zanzi')).toEqual({ values: ['Zanzibar Project'], hasMore: true })
    const items = await complete(client, 'item')
    expect(items.hasMore).toBe(true)
    expect(items.values.length).toBeGreaterThan(20)
    expect(items.values.every((name) => name.startsWith('Item'))).toBe(true)
  })

  test('count as one query each, and unknown references are refused', async () => {
    const alice = await server().signUp()
    const client = await connect(server(), alice, 'legacy')
    await complete(client, 'a')
    expect(await alice.rest.realTimeStats()).toMatchObject({ queries: 1, total: 1 })
    for (const ref of [
      { type: 'ref/prompt', name: 'nothing' } as const,
      { type: 'ref/resource', uri: 'memory://nothing/{name}' } as const,
    ]) {
      const argument = { name: 'name', value: '' }
      await expect(client.complete({ ref, argument })).rejects.toMatchObject({ code: -32602 })
    }
  })
})
