import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

type Recalled = {
  notice?: string
  observations?: { content: string }[]
  entities?: { name: string; metadata?: object }[]
}

describeOnBothDatabases('recall of a list', (server) => {
  let person: Person
  let agent: Client
  beforeAll(async () => {
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
  })
  afterAll(() => agent.close())

  async function recall(args: Record<string, unknown>) {
    const { structuredContent } = await agent.callTool({ name: 'recall', arguments: args })
    const structured = structuredContent as Recalled
    return { observations: [], entities: [], ...structured, structured }
  }

  test('gives the entities of a type, with how many there are', async () => {
    for (const name of ['Rooftop garden', 'Ferry timetable']) {
      await person.rest.createEntity({ body: { name, type: 'initiative', metadata: { state: 'open' } } })
    }
    const { structured, entities } = await recall({ query: 'list the initiatives' })
    expect(structured.notice).toBe('These are all 2 entities of type "initiative".')
    expect(entities.map(({ name }) => name)).toEqual(['Ferry timetable', 'Rooftop garden'])
    expect(entities[0]?.metadata).toEqual({ state: 'open' })
  })

  test('a list shows facts of its own entities, and of others only where their text or name has the word', async () => {
    const entities = [
      { name: 'Northern Strings', type: 'orchestra', observations: ['Rehearses on Mondays'] },
      { name: 'Harbour Brass', type: 'orchestra', observations: ['Tours in August'] },
      { name: 'Lena Park', type: 'cellist', observations: ['Has a parrot called Mango'] },
      {
        name: 'City budget',
        type: 'note',
        observations: ['Both orchestras lose a tenth', 'Parks are spared'],
      },
      { name: 'Orchestras abroad', type: 'note', observations: ['Ask the embassy'] },
    ]
    const relations = [{ from: 'Lena Park', to: 'Northern Strings', relationType: 'plays_in' }]
    await person.rest.createBatch({ body: { entities, relations } })
    const { observations, structured } = await recall({ query: 'list the orchestras', context: 0 })
    expect(structured.notice).toBe('These are all 2 entities of type "orchestra".')
    expect(observations.map(({ content }) => content).sort()).toEqual([
      'Ask the embassy',
      'Both orchestras lose a tenth',
      'Rehearses on Mondays',
      'Tours in August',
    ])
  })
})
