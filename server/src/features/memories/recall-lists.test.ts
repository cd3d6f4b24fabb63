import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsIn } from '../../../test/fields-in.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { estimateTokens } from '../../ground/lib/tokens.ts'

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
    const result = await agent.callTool({ name: 'recall', arguments: args })
    const structured = fieldsIn(result) as Recalled
    return { observations: [], entities: [], ...structured, structured, shown: result.structuredContent }
  }

  test('gives the entities of a type, and how many there are', async () => {
    for (const name of ['Rooftop garden', 'Ferry timetable']) {
      await person.rest.createEntity({ body: { name, type: 'initiative', metadata: { state: 'open' } } })
    }
    const { structured, entities } = await recall({ query: 'list the initiatives' })
    expect(structured.notice).toBe('These are all 2 entities of type "initiative".')
    expect(entities.map(({ name }) => name)).toEqual(['Ferry timetable', 'Rooftop garden'])
    expect(entities[0]?.metadata).toEqual({ state: 'open' })
  })

  test('says why it shows none, and which types there are instead of one that nothing has', async () => {
    for (const name of ['Old mill', 'Windmill'])
      await person.rest.createEntity({ body: { name, type: 'mill', observations: ['Grinds rye'] } })
    const late = new Date(server().clock.now + 86_400_000).toISOString()
    for (const bound of [{ storedAfter: late }, { after: late }, { storedBefore: '2020-01-01' }]) {
      const { notice, entities } = await recall({ query: 'list the mills', ...bound }).then((one) => ({
        ...one,
        notice: one.structured.notice,
      }))
      expect(entities, JSON.stringify(bound)).toEqual([])
      expect(notice).toContain('All 2 entities of type "mill" are outside the types and times asked for.')
      expect(notice).not.toContain('maxTokens')
    }
    const { structured } = await recall({ query: 'list the mills', types: ['Mills'] })
    expect(structured.notice).toMatch(/^No entity is of type "Mills"; the types are .*mill \(2\)/)
    await person.rest.createEntity({ body: { name: 'Lone pine', type: 'pine', observations: ['Leans'] } })
    expect((await recall({ query: 'pines', before: '2020-01-01' })).structured.notice).toContain(
      'The only entity of type "pine" is outside the types and times asked for.',
    )
  })

  test('a relation stored outside the bounds is not told', async () => {
    const entities = ['Ferry', 'Pier'].map((name) => ({ name, type: 'place' }))
    await person.rest.createBatch({
      body: { entities, relations: [{ from: 'Ferry', to: 'Pier', relationType: 'moors_at' }] },
    })
    const told = async (bound: object) =>
      JSON.stringify((await recall({ query: 'Where does the Ferry moor?', ...bound })).shown)
    expect(await told({})).toContain('moors_at')
    expect(await told({ storedBefore: '2020-01-01' })).not.toContain('moors_at')
  })

  test('shows facts of its own entities, and of others only if their text or name has the word', async () => {
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

  test('names every entity before it adds metadata and facts', async () => {
    const entities = Array.from({ length: 45 }, (_, i) => ({
      name: `Vessel ${i}`,
      type: 'vessel',
      metadata: { cargo: 'grain and timber '.repeat(15), hull: i },
      observations: [`Was painted in harbour ${i}`],
    }))
    await person.rest.createBatch({ body: { entities, relations: [] } })
    const { structured, shown, observations, entities: named } = await recall({ query: 'list the vessels' })
    expect(structured.notice).toContain('These are all 45 entities of type "vessel".')
    expect(new Set(named.map(({ name }) => name)).size).toBe(45)
    expect(observations.length).toBeGreaterThan(5)
    expect(estimateTokens(JSON.stringify(shown))).toBeLessThan(2_500)
    expect(named[0]).toHaveProperty('metadata')
    expect(named[44]).not.toHaveProperty('metadata')
    const few = await recall({ query: 'list the vessels', limit: 5, maxTokens: 400 })
    expect(few.entities.length).toBeGreaterThan(5)
    expect(few.entities.length).toBeLessThan(20)
    expect(few.observations.length).toBeGreaterThan(1)
  })

  test('shows no fragments of facts if names fill the budget', async () => {
    const entities = Array.from({ length: 45 }, (_, i) => ({
      name: `Treaty ${i} ${'on the passage of goods and people '.repeat(6)}`.trim(),
      type: 'treaty',
      observations: [`Was signed in hall ${i} of the old palace`],
    }))
    await person.rest.createBatch({ body: { entities, relations: [] } })
    const { structured, shown, observations } = await recall({ query: 'list the treaties' })
    expect(structured.notice).toMatch(/^These are the newest \d+ of 45 entities of type "treaty"\./)
    expect(structured.notice).toMatch(/ 0 of \d+ matching observations are shown\./)
    expect(observations).toEqual([])
    expect(estimateTokens(JSON.stringify(shown))).toBeLessThan(2_500)
  })
})
