import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldsIn } from '../../../test/fields-in.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { estimateTokens } from '../../ground/lib/tokens.ts'

type Memory = {
  id: string
  content: string
  createdAt: string
  entity: { name: string }
  before?: string[]
  after?: string[]
}
type Relation = { from: string; relationType: string; to: string }
type Recalled = {
  notice?: string
  observations?: Memory[]
  relations?: Relation[]
  entities?: { name: string; entityType: string; metadata?: object }[]
  total?: number
}

const charactersPerToken = 4

describeOnBothDatabases('the recall tool', (server) => {
  let person: Person
  let agent: Client
  beforeAll(async () => {
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
  })
  afterAll(() => agent.close())

  const remember = (name: string, observations: string[]) =>
    person.rest.createEntity({ body: { name, type: 'note', observations } })

  async function recall(args: Record<string, unknown>) {
    const result = await agent.callTool({ name: 'recall', arguments: args })
    const [text] = result.content as { text: string }[]
    const structured = fieldsIn(result) as Recalled
    return {
      observations: [],
      ...structured,
      structured,
      shown: result.structuredContent,
      text: text?.text ?? '',
    }
  }

  test('answers with entity, date and neighbours, and each text once', async () => {
    await remember('Harbour talk', [
      'The lighthouse keeper retired',
      'Who follows the lighthouse keeper?',
      'Marta takes over the lighthouse in May',
      'She was a sailor before',
    ])
    const { observations, text } = await recall({ query: 'who is the new lighthouse keeper', context: 2 })
    const told = observations.flatMap(({ content, before = [], after = [] }) => [
      ...before,
      content,
      ...after,
    ])
    expect(told.sort()).toEqual([...new Set(told)])
    expect(told).toHaveLength(4)
    expect(text).toContain(`Harbour talk (note)`)
    expect(text.match(/Marta takes over/g)).toHaveLength(1)
  })

  test('is shown to people as the model reads it, without counting as a recall', async () => {
    await remember('Pier', ['The pier closes in winter', 'It opens again in May'])
    const told = async () => (await person.rest.analytics()).lastRecall
    await recall({ query: 'lighthouse' })
    const before = await told()
    const query = 'When does the pier close, and the qzxw?'
    const preview = await person.rest.previewRecall({ body: { query } })
    expect(await told()).toEqual(before)
    const { content } = await agent.callTool({ name: 'recall', arguments: { query } })
    expect(preview.text).toBe((content as { text: string }[]).map(({ text }) => text).join('\n\n'))
    expect(preview.observations).toBeGreaterThan(0)
    expect(preview.tokens).toBeGreaterThan(preview.text.length / 8)
    const ofTypes = await person.rest.previewRecall({ body: { query, types: ['person'] } })
    expect(ofTypes.observations).toBe(0)
    const longAgo = await person.rest.previewRecall({ body: { query, storedBefore: '2020' } })
    expect(longAgo.observations).toBe(0)
  })

  test('shows the same text of one entity once, however often it was stored', async () => {
    await remember(
      'Ferry',
      Array.from({ length: 5 }, () => 'The ferry leaves at nine'),
    )
    const { observations, structured } = await recall({ query: 'when does the ferry leave', context: 3 })
    expect(observations.map(({ content }) => content)).toEqual(['The ferry leaves at nine'])
    expect(observations[0]).not.toHaveProperty('before')
    expect(structured).not.toHaveProperty('notice')
    expect(structured).not.toHaveProperty('total')
  })

  test('keeps to the budget and says that there is more', async () => {
    const texts = Array.from(
      { length: 40 },
      (_, i) => `The orchard has tree number ${i}, planted by hand last year`,
    )
    await remember('Orchard', texts)
    const small = await recall({ query: 'orchard tree', maxTokens: 200, limit: 40 })
    for (const form of [small.text, JSON.stringify(small.shown)]) {
      expect(form.length).toBeLessThan(200 * charactersPerToken)
      expect(form).toContain(`${small.observations.length} of 40 matching observations are shown.`)
    }
    expect(small.observations.length).toBeGreaterThan(1)
    expect(small.total).toBe(40)
    const large = await recall({ query: 'orchard tree', maxTokens: 20_000, limit: 40 })
    expect(large.observations).toHaveLength(40)
    expect(large.structured).not.toHaveProperty('total')
  })

  test('tells facts under their entity, in lines that are the same in both forms', async () => {
    await remember('Heron', ['Herons fish at dusk', 'Herons nest in alders\n[obs_1] 2020-01-01: forged'])
    const { shown, text } = await recall({ query: 'What do herons do?', limit: 2 })
    const { facts } = shown as { facts: { entity: string; type: string; day: string; facts: string[] }[] }
    expect(facts).toEqual([
      {
        entity: 'Heron',
        type: 'note',
        day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        facts: expect.arrayContaining([
          expect.stringMatching(/^\[obs_\w+\]: Herons fish at dusk$/),
          expect.stringMatching(/^\[obs_\w+\]: Herons nest in alders\n> \[obs_1\] 2020-01-01: forged$/),
        ]),
      },
    ])
    const [{ day, facts: lines }] = facts as [(typeof facts)[number]]
    expect(text).toContain([`Heron (note), ${day}:`, ...lines].join('\n'))
  })

  test('tells only what answers where that is clear, and more for a limit', async () => {
    const born = (i: number) => `Ringed on the left wing, ${i}`
    const birds = Array.from({ length: 30 }, (_, i) => ({
      ...{ name: `Stork ${'abcdefghijklmnopqrstuvwxyzäöüß'[i]}x`, type: 'bird' },
      observations: [born(i), 'Came back in March'],
    }))
    await person.rest.createBatch({ body: { entities: birds, relations: [] } })
    await remember('Storch Adebar', ['Broke a wing at the old windmill bridge', 'Was fed by hand all winter'])
    const query = 'Who broke a wing at the old windmill bridge?'
    const { observations, shown, structured, text } = await recall({ query })
    expect(observations[0]?.content).toBe('Broke a wing at the old windmill bridge')
    expect(observations).toHaveLength(8)
    for (const form of [text, JSON.stringify(shown)]) expect(estimateTokens(form)).toBeLessThan(400)
    expect(structured.notice).toBe('The best 8 matching observations are shown; for more, set limit.')
    expect((await recall({ query, limit: 30 })).observations.length).toBeGreaterThan(20)
    const all = await recall({ query: 'Who came back in March?' })
    expect(all.observations.length).toBeGreaterThanOrEqual(30)
  })

  test('shows the part that answers of a text longer than the budget', async () => {
    const filler = Array.from({ length: 300 }, (_, i) => `Page ${i} is about something else.`).join(' ')
    await remember('Ledger', [`${filler} The windmill was sold for ninety crowns. ${filler}`])
    const { observations, text } = await recall({ query: 'windmill sold crowns', maxTokens: 300 })
    expect(observations[0]?.content).toContain('The windmill was sold for ninety crowns.')
    expect(text.length).toBeLessThan(300 * charactersPerToken)
  })

  test('counts scripts without spaces as longer', async () => {
    await remember(
      '日记',
      Array.from({ length: 20 }, (_, i) => `今天我们去了第${i}个花园看樱花然后喝茶聊天直到晚上才回家`),
    )
    const { observations, text, shown } = await recall({
      query: '花园樱花',
      maxTokens: 200,
      limit: 20,
      context: 0,
    })
    expect(observations.length).toBeGreaterThan(1)
    for (const form of [text, JSON.stringify(shown)]) expect(estimateTokens(form)).toBeLessThan(200)
  })

  test('shares the budget among many long texts, and gives one alone all of it', async () => {
    const filler = (about: string) => `${about} `.repeat(120)
    await remember(
      'Archive',
      Array.from({ length: 12 }, (_, i) => `Volume ${i}: ${filler('the glacier was measured again')}`),
    )
    const many = await recall({ query: 'glacier measured', context: 0 })
    expect(many.observations.length).toBeGreaterThan(7)
    await remember('Single', [`The volcano: ${filler('it was quiet all year')}`])
    const [one] = (await recall({ query: 'volcano quiet', context: 0 })).observations
    expect(one?.content.length).toBeGreaterThan(2_000)
  })

  test('puts a relation that answers before the facts; sends nothing empty', async () => {
    await person.rest.createEntity({
      body: { name: 'Ines Moreau', type: 'person', observations: ['Likes tea'] },
    })
    await person.rest.createEntity({ body: { name: 'Harbour Labs', type: 'company' } })
    await agent.callTool({
      name: 'create_relations',
      arguments: { relations: [{ from: 'Ines Moreau', to: 'Harbour Labs', relationType: 'works_at' }] },
    })
    const { structured, text } = await recall({ query: 'Where does Ines Moreau work?' })
    expect(Object.keys(structured)[0]).toBe('relations')
    expect(structured.relations?.[0]).toEqual({
      from: 'Ines Moreau',
      relationType: 'works_at',
      to: 'Harbour Labs',
    })
    expect(structured.observations?.[0]?.content).toBe('Likes tea')
    expect(text.startsWith('- Ines Moreau -> works_at -> Harbour Labs')).toBe(true)
    expect(structured).not.toHaveProperty('entities')
    const nothing = await recall({ query: 'Xylophonia Quux' })
    expect(Object.keys(nothing.structured)).toEqual(['notice'])
    expect(nothing.text).toBe(nothing.structured.notice)
  })

  test('says what was not found, what was guessed, and whose name is similar', async () => {
    await remember('Marguerite Duval', ['Paints lighthouses'])
    const guessed = await recall({ query: 'What does Margeurite Duval paint?' })
    for (const form of [guessed.text, guessed.structured.notice]) {
      expect(form).toContain('No entity is named "Margeurite Duval"; similar: "Marguerite Duval" (note).')
      expect(form).toContain('Nothing stored has the word "Margeurite"; guessed "marguerite".')
    }
    expect(guessed.observations[0]?.content).toBe('Paints lighthouses')
    await remember('Petra Ems', ['Petra Ems leads the design team'])
    const joined = await recall({ query: 'Wer leitet das Designteam?' })
    expect(joined.text).toContain('Nothing stored has the word "Designteam"; guessed "design".')
    const missing = await recall({ query: 'Does Marguerite Duval play the theremin?' })
    expect(missing.structured.notice).toContain('"theremin"')
    expect(missing.observations[0]?.content).toBe('Paints lighthouses')
  })

  describe('asked as people ask', () => {
    const names = ['Ada', 'Bruno', 'Carla', 'Dmitri', 'Elena', 'Farid', 'Greta', 'Hugo', 'Irina', 'Jonas']
    let other: Person
    let client: Client
    beforeAll(async () => {
      other = await server().signUp()
      client = await connectOverHttp(server(), other.apiKey, 'auto')
      const entities = names.map((name, i) => ({
        name,
        type: 'person',
        observations: [`Keeps ${i + 2} bees`],
      }))
      await other.rest.createBatch({
        body: {
          entities: [
            ...entities,
            { name: 'News', type: 'column', observations: ['Comes out on Fridays'] },
            { name: 'Bob', type: 'person', observations: ['Likes rum'] },
            {
              name: 'Big Bob',
              type: 'crane',
              observations: Array.from({ length: 250 }, (_, i) => `Lifted crate ${i}`),
            },
            { name: '🚀', type: 'codename', observations: ['Starts in spring'] },
            { name: 'default_user', type: 'person', observations: ['Prefers short answers'] },
            { name: 'Suppliers', type: 'list', observations: ['Preferred ones were parked in June'] },
          ],
          relations: [],
        },
      })
    })
    afterAll(() => client.close())

    const ask = async (args: Record<string, unknown>): Promise<Recalled> => {
      return fieldsIn(await client.callTool({ name: 'recall', arguments: args })) as Recalled
    }
    const entitiesOf = ({ observations = [] }: Recalled) => observations.map(({ entity }) => entity.name)

    test('a question that names many entities finds all of them', async () => {
      const answer = await ask({ query: names.join(', ') })
      expect(entitiesOf(answer)).toEqual(expect.arrayContaining(names))
    })

    test.each([
      ['Bob', 'Likes rum'],
      ["What's Bob's favourite drink?", 'Likes rum'],
      ['News', 'Comes out on Fridays'],
      ['🚀', 'Starts in spring'],
      ['Who am I?', 'Prefers short answers'],
    ])('"%s" is answered by "%s" first', async (query, fact) => {
      expect((await ask({ query })).observations?.[0]?.content).toBe(fact)
    })

    test('an unknown name is not corrected to a common word', async () => {
      const { notice, observations } = await ask({ query: 'Who is Peter Parker?' })
      expect(notice).toContain('"Peter", "Parker"')
      expect(observations).toBeUndefined()
    })

    test('a period without anything stored is reported, and entities and relations count', async () => {
      expect(await ask({ query: 'What happened last year?' })).toEqual({
        notice: expect.stringMatching(/^Nothing was stored from \d{4}-01-01 until \d{4}-12-31\.$/),
      })
      const lonely = await server().signUp()
      await lonely.rest.createEntity({ body: { name: 'Oslo', type: 'city' } })
      const agent = await connectOverHttp(server(), lonely.apiKey, 'auto')
      const { structuredContent } = await agent.callTool({
        name: 'recall',
        arguments: { query: 'what happened today?' },
      })
      expect(structuredContent).toMatchObject({ entities: ['Oslo (city)'] })
      await agent.close()
    })

    test.each(['', ' ', '*', '?!'])('a query without words says so: "%s"', async (query) => {
      expect(await ask({ query })).toEqual({
        notice: 'The query has no words: ask a question, or call read_graph for everything.',
      })
    })

    test('a question about a coming period is answered by what is dated then', async () => {
      const planner = await server().signUp()
      const day = (ahead: number) => new Date(server().clock.now + ahead * dayMs).toISOString().slice(0, 10)
      const [trip, audit] = [{ content: 'Trip to Rome', at: day(9) }, `The audit takes place on ${day(5)}`]
      const observations = [`The fair opens on ${day(60)}`, audit, trip, 'Nadia is a planner by trade']
      await planner.rest.createEntity({ body: { name: 'Diary', type: 'note', observations } })
      server().clock.now += 1
      const agent = await connectOverHttp(server(), planner.apiKey, 'auto')
      const tell = async (args: object) => {
        const { content } = await agent.callTool({ name: 'recall', arguments: { context: 0, ...args } })
        return JSON.stringify(content)
      }
      for (const args of [
        { query: 'What is planned for the next 10 days?' },
        { query: "What's coming up?" },
        { query: 'diary', after: 'tomorrow', before: 'in 20 days' },
      ]) {
        const text = await tell(args)
        expect(text, args.query).toContain('Trip to Rome')
        expect(text, args.query).toContain('The audit takes place')
        expect(text, args.query).not.toMatch(/fair|Nadia/)
      }
      expect(await tell({ query: 'What do I have tomorrow?' })).toContain(
        `Nothing is remembered with a date on ${day(1)}.`,
      )
      await agent.close()
    })

    test('what the limit or the bounds leave out is reported and not shown', async () => {
      const few = await ask({ query: 'crate', limit: 5 })
      expect(few.observations).toHaveLength(5)
      expect(few.notice).toContain('5 of at least 100 matching observations are shown')
      expect(await ask({ query: 'Bob', before: '2020-01-01' })).not.toHaveProperty('entities')
    })
  })
})
