import type { Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { addPerson } from '../../../test/accounts.ts'
import { fieldsIn } from '../../../test/fields-in.ts'
import { type Answer, describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { readBack } from '../../../test/recalled-text.ts'

describeOnBothDatabases('facts', (server) => {
  const agents: Client[] = []
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.close()
  })

  async function agentOf(token: string) {
    const agent = await connectOverHttp(server(), token, 'auto')
    agents.push(agent)
    await agent.listTools()
    return async (name: string, args: Record<string, unknown>) => {
      const result = await agent.callTool({ name, arguments: args })
      const { isError, content } = result
      const [text = ''] = content.map((part) => (part.type === 'text' ? part.text : ''))
      expect(isError, text).toBeFalsy()
      const structured: Answer['body'] = fieldsIn(result)
      return { text, structured }
    }
  }
  const write = (person: Pick<Person, 'token'>, body: object) =>
    server().call('POST', '/api/entities', { token: person.token, body })
  const writersIn = (observations: { content: string; by?: string }[]) =>
    Object.fromEntries(observations.map(({ content, by }) => [content, by]))

  test('that others wrote say by whom and through which program, in every answer', async () => {
    const owner = await server().signUp('Ada')
    const member = await addPerson(server(), owner, 'member')
    const own = await agentOf(owner.apiKey)
    const theirs = await agentOf(member.apiKey)
    const { body } = await write(owner, {
      name: 'Harbour',
      type: 'project',
      observations: ['Harbour is written in Go', 'Harbour listens on port 80'],
    })
    await theirs('add_observations', {
      observations: [{ entityName: 'Harbour', contents: ['Harbour is deployed by kamal'] }],
    })
    await theirs('update_observation', {
      entityName: 'Harbour',
      observation: 'Harbour listens on port 80',
      newObservation: 'Harbour listens on port 8080',
    })
    const expected = {
      'Harbour is written in Go': undefined,
      'Harbour listens on port 8080': 'Max Member through test-agent',
      'Harbour is deployed by kamal': 'Max Member through test-agent',
    }
    const recalled = await own('recall', { query: 'What is Harbour?' })
    expect(writersIn(recalled.structured.observations)).toEqual(expected)
    const { facts } = readBack(recalled.text.slice((recalled.structured.notice ?? '').length))
    expect(Object.fromEntries(facts.map(({ lines, by }) => [lines.join('\n'), by]))).toEqual(expected)
    const explored = await own('explore_entity', { name: 'Harbour' })
    expect(writersIn(explored.structured.entity.observations)).toEqual(expected)
    for (const [tool, args] of [
      ['open_nodes', { names: ['Harbour'] }],
      ['read_graph', {}],
      ['search_nodes', { query: 'Harbour' }],
    ] as const) {
      const { structured } = await own(tool, args)
      expect(structured.notice, tool).toBe(
        'Observations by others: "Harbour": 2 3 by Max Member through test-agent.',
      )
      expect(structured.entities[0].observations, tool).toHaveLength(3)
    }
    const fetched = await server().call('POST', '/mcp?profile=chatgpt', {
      token: owner.apiKey,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'fetch', arguments: { id: body.entity.id } },
      },
    })
    expect(fetched.body.result.structuredContent.text).toMatch(
      /^- [\d-]{10}: Harbour is written in Go\n- [\d-]{10}, by Max Member through test-agent: Harbour listens/,
    )
    const turned = await theirs('recall', { query: 'What is Harbour?' })
    expect(writersIn(turned.structured.observations)['Harbour is written in Go']).toBe('Ada Example')
  })

  test('of an account with one person name nobody, whatever program or key wrote them', async () => {
    const owner = await server().signUp('Solo')
    const key = await server().call('POST', '/api/keys', {
      token: owner.token,
      body: { name: 'CI', permissions: [] },
    })
    const byKey = await agentOf(key.body.apiKey)
    await byKey('create_entities', {
      entities: [{ name: 'Harbour', entityType: 'project', observations: ['Harbour is written in Go'] }],
    })
    await server().call('DELETE', `/api/keys/${key.body.id}`, { token: owner.token })
    const own = await agentOf(owner.apiKey)
    const recalled = await own('recall', { query: 'What is Harbour?' })
    expect(writersIn(recalled.structured.observations)).toEqual({ 'Harbour is written in Go': undefined })
    expect((await own('open_nodes', { names: ['Harbour'] })).structured).not.toHaveProperty('notice')
  })

  test('of a member’s key name the person; of a key that is gone, the key', async () => {
    const owner = await server().signUp('Ada')
    const member = await addPerson(server(), owner, 'admin')
    const key = await server().call('POST', '/api/keys', {
      token: member.token,
      body: { name: 'CI: nightly', permissions: [] },
    })
    await write(
      { token: key.body.apiKey },
      {
        name: 'Harbour',
        type: 'project',
        observations: ['Harbour is written in Go'],
      },
    )
    const own = await agentOf(owner.apiKey)
    const by = async () =>
      (await own('recall', { query: 'What is Harbour?' })).structured.observations[0].by as string
    expect(await by()).toBe('Max Member through "CI: nightly"')
    await server().call('DELETE', `/api/keys/${key.body.id}`, { token: member.token })
    expect(await by()).toBe('"CI: nightly"')
  })
})
