import { spaceHeader } from '@loci/contract/spaces'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { setMonthOperations } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'

async function connect(
  server: TestServer,
  { apiKey }: Pick<Person, 'apiKey'>,
  mode: 'auto' | 'legacy',
  path = '/mcp',
): Promise<Client> {
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(server.url + path), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  })
  await client.connect(transport)
  return client
}

describeOnBothDatabases('the MCP endpoint', (server) => {
  test.each(['auto', 'legacy'] as const)('serves the official client in mode %s', async (mode) => {
    const client = await connect(server(), await server().signUp(), mode)
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name).slice(0, 9)).toEqual([
      'create_entities',
      'create_relations',
      'add_observations',
      'delete_entities',
      'delete_observations',
      'delete_relations',
      'read_graph',
      'search_nodes',
      'open_nodes',
    ])
    const created = await client.callTool({
      name: 'create_entities',
      arguments: {
        entities: [{ name: 'Ada', entityType: 'person', observations: ['Wrote the first program'] }],
      },
    })
    expect(created.isError).toBeFalsy()
    const graph = await client.callTool({ name: 'read_graph' })
    expect(graph.structuredContent).toEqual({
      entities: [{ name: 'Ada', entityType: 'person', observations: ['Wrote the first program'] }],
      relations: [],
    })
    const recalled = await client.callTool({ name: 'recall', arguments: { query: 'who wrote a program?' } })
    expect(recalled.structuredContent).toMatchObject({
      facts: [
        { entity: 'Ada', type: 'person', facts: [expect.stringContaining(': Wrote the first program')] },
      ],
    })
    expect(recalled._meta?.['dev.loci/found']).toMatchObject({
      observations: [{ entity: { name: 'Ada', entityType: 'person' }, content: 'Wrote the first program' }],
    })
    await client.close()
  })

  test('counts each tool call, and tells the agent when the month is used up', async () => {
    const person = await server().signUp()
    const client = await connect(server(), person, 'auto')
    await client.callTool({ name: 'read_graph' })
    await client.callTool({ name: 'create_entities', arguments: { entities: [] } })
    expect(await person.rest.realTimeStats()).toMatchObject({ queries: 1, creates: 1, total: 2 })
    await setMonthOperations(server(), person, 15_000)
    server().clock.now += 60_000
    const refused = await client.callTool({ name: 'create_entities', arguments: { entities: [] } })
    expect(refused).toMatchObject({
      isError: true,
      _meta: { 'dev.loci/error': { code: 'operations_limit_reached' } },
    })
    expect((await client.callTool({ name: 'read_graph' })).isError).toBeFalsy()
    await client.close()
  })

  test('records the first call of an agent for the account, whatever it asks', async () => {
    const person = await server().signUp()
    const stranger = await server().signUp()
    expect(await person.rest.usage()).toMatchObject({ agentSeenAt: null })
    const seenAt = server().clock.now
    const client = await connect(server(), person, 'auto')
    await client.listTools()
    server().clock.now += 60_000
    await client.callTool({ name: 'read_graph' })
    await client.close()
    // Stored in parallel with the call, which does not wait for it.
    await expect
      .poll(() => person.rest.usage())
      .toMatchObject({ agentSeenAt: new Date(seenAt).toISOString() })
    expect(await stranger.rest.usage()).toMatchObject({ agentSeenAt: null })
  })

  test('records the first call of an agent in the space that it called, and in no other', async () => {
    const owner = await server().signUp()
    const { space } = await owner.rest.createSpace({ body: { name: 'Client work' } })
    const seenIn = async (named: string) =>
      (await owner.rest.usage({ headers: { [spaceHeader]: named } })).agentSeenAt !== null
    const client = await connect(server(), owner, 'auto', `/mcp/spaces/${space.id}`)
    await client.listTools()
    await client.close()
    await expect.poll(() => seenIn('Client work')).toBe(true)
    expect(await seenIn('default')).toBe(false)
    const { apiKey } = await owner.rest.createKey({ body: { name: 'k', spaces: ['default'] } })
    const bound = await connect(server(), { apiKey }, 'auto')
    await bound.listTools()
    await bound.close()
    await expect.poll(() => seenIn('default')).toBe(true)
  })
})
