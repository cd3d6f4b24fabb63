import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../../test/agent.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

type Fact = { content: string; entity: { name: string } }
/** Facts that are rules for the question stand before the others. */
type Recalled = { rules?: Fact[]; observations?: Fact[]; notice?: string }

describeOnBothDatabases('recall', (server) => {
  let person: Person
  let agent: Client
  const recall = async (query: string) => (await ask(agent, 'recall', { query })).structured as Recalled
  const firstOf = async (query: string) => (await recall(query)).observations?.[0]?.content

  async function begin(
    entities: { name: string; type: string; observations?: string[]; metadata?: object }[],
  ) {
    person = await server().signUp()
    await person.rest.createBatch({ body: { entities: entities as never, relations: [] } })
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
    return async () => agent.close()
  }

  describe('of an identifier', () => {
    beforeAll(() =>
      begin([
        { name: 'Route', type: 'route', observations: ['Transit takes 2 to 3 days', 'Runs 2 times a day'] },
        { name: 'Alert', type: 'alert', observations: ['A prio 1 wakes the engineer on call'] },
      ]),
    )

    test('that nothing contains is not answered by its number', async () => {
      expect((await recall('sev2')).observations ?? []).toEqual([])
    })

    test('whose letters are known is answered by both, however it is spelt', async () => {
      expect(await firstOf('prio1')).toBe('A prio 1 wakes the engineer on call')
    })
  })

  describe('of a time', () => {
    beforeAll(() =>
      begin([
        { name: 'Leak of March 2019', type: 'incident', observations: ['Passwords of staff were published'] },
        { name: 'Outage 2019-06-21', type: 'incident', observations: ['A disk filled up'] },
        { name: 'Kick-off', type: 'event', metadata: { day: '2018-02-05' }, observations: ['Began in Bonn'] },
        { name: 'Review of April 2017', type: 'event' },
        {
          name: 'Diary',
          type: 'note',
          observations: ['In October 2016 it rained', 'It happened at the lake'],
        },
      ]),
    )

    test.each([
      ['What happened in March 2019?', 'Passwords of staff were published'],
      ['what happened in June 2019', 'A disk filled up'],
      ['What happened on 21 June 2019?', 'A disk filled up'],
      ['Was geschah im März 2019?', 'Passwords of staff were published'],
      ['What happened in February 2018?', 'Began in Bonn'],
      ['What happened in October 2016?', 'In October 2016 it rained'],
      ['What happened in 2016?', 'In October 2016 it rained'],
      ['What happened between February and April 2019?', 'Passwords of staff were published'],
      ['What happened in the spring of 2019?', 'Passwords of staff were published'],
      ['What happened in 2018?', 'Began in Bonn'],
      ['What happened from 2014 to 2017?', 'In October 2016 it rained'],
      ['What happened in the week of 17 June 2019?', 'A disk filled up'],
    ])('"%s" is answered by what names it: "%s"', async (query, fact) => {
      const { observations = [], notice } = await recall(query)
      expect(observations[0]?.content).toBe(fact)
      expect(notice ?? '').not.toContain('Nothing')
    })

    test('that is said in words of today is answered by a name with its date', async () => {
      const yesterday = new Date(server().ctx.now() - 86_400_000).toISOString().slice(0, 10)
      const body = { name: `Breakdown ${yesterday}`, type: 'incident', observations: ['A pump leaked'] }
      await person.rest.createEntity({ body })
      const { observations = [] } = await recall('What happened yesterday?')
      expect(observations.map(({ content }) => content)).toEqual(['A pump leaked'])
    })

    test('names an entity without facts, and no other month', async () => {
      const april = (await ask(agent, 'recall', { query: 'What happened in April 2017?' })).structured
      expect(april).toEqual({ entities: [{ name: 'Review of April 2017', entityType: 'event' }] })
      const { notice, observations } = await recall('What happened in May 2019?')
      expect(observations).toBeUndefined()
      expect(notice).toBe('Nothing was stored from 2019-05-01 until 2019-05-31.')
    })

    test.each([
      'What did the disk do last year?',
      'Is the disk still full now?',
      'What did the disk do yesterday, recently or currently?',
      'What happened to the disk on Monday last week, and in Jun?',
      'Was war mit der disk letztes Jahr, gestern und jetzt?',
      'Le disk est-il encore plein maintenant, comme hier ?',
      '¿Está el disk todavía lleno ahora, como ayer?',
      'What did the disk do these days, so far, two weeks ago, originally or finally?',
      'Is the disk full right now, no longer, or at the moment?',
      'What happened to the disk in 1999, in the 1990s, at 5pm and around Christmas?',
      'What did the disk do every week, in summer, and by the end of the year?',
      'War die disk inzwischen oder anfangs voll, oder nicht mehr?',
      'Le disk était-il plein autrefois ou désormais ?',
    ])('never reports a word of time as missing: "%s"', async (query) => {
      const { notice = '' } = await recall(query)
      const missing = /Nothing stored has the words? ([^.]*)/.exec(notice)?.[1] ?? ''
      expect(missing.replaceAll(/"(?:plein|lleno|full|voll)"|, |in these letters/g, '').trim()).toBe('')
    })

    test('still reports other words', async () => {
      const { notice } = await recall('Was the theremin broken last year?')
      expect(notice).toContain('Nothing stored has the words "theremin", "broken".')
    })
  })

  describe('of a question why something is not so', () => {
    beforeAll(() =>
      begin([
        {
          name: 'Mobile App',
          type: 'product',
          observations: [
            'Crash reporting goes to Sentry, Crashlytics was rejected over privacy',
            'Android 10 or newer is required',
            'Feature flags are served by Unleash',
          ],
        },
      ]),
    )

    test.each([
      "Why aren't we using Crashlytics?",
      'Warum nehmen wir Crashlytics nicht?',
      "Isn't Crashlytics in the app?",
    ])('what is denied is what it is about: "%s"', async (query) => {
      expect(await firstOf(query)).toContain('Crashlytics was rejected')
    })
  })

  describe.each(['default_user', 'user', 'me'])('about oneself, stored as %s', (name) => {
    beforeAll(() =>
      begin([
        { name, type: 'person', observations: ['Prefers vim', 'Works on a ThinkPad', 'Speaks Basque'] },
        ...Array.from({ length: 60 }, (_, i) => ({
          name: `Note ${i}`,
          type: 'note',
          observations: [`How staff use the system of room ${i}`],
        })),
        { name: 'Postgres for billing', type: 'decision', observations: ['Chosen: Postgres knows JSON'] },
        { name: 'Northwind', type: 'company', observations: ['Owns forty lorries'] },
        {
          name: 'Priya Raman',
          type: 'person',
          observations: ['Priya leads a team', 'Priya is allergic to peanuts'],
        },
        {
          name: 'Kitchen',
          type: 'place',
          observations: ['We must avoid noise', 'Ordering is done on Mondays'],
        },
      ]),
    )

    test.each([
      ['Which editor do I use?', 'Prefers vim'],
      ['What is my operating system?', 'Works on a ThinkPad'],
      ['my machine', 'Works on a ThinkPad'],
      ['Welchen Editor benutze ich?', 'Prefers vim'],
      ['Quel est mon éditeur ? Je préfère lequel ?', 'Prefers vim'],
    ])('"%s" has "%s" among the first facts', async (query, fact) => {
      const { rules = [], observations = [], notice = '' } = await recall(query)
      expect([...rules, ...observations].slice(0, 3).map(({ content }) => content)).toContain(fact)
      expect(notice).not.toMatch(/No entity is named "(?:use|my|I|editor)"/)
    })

    test('search_nodes finds the user for "my machine"', async () => {
      const { structured } = await ask(agent, 'search_nodes', { query: 'my machine' })
      expect((structured as { entities: { name: string }[] }).entities[0]?.name).toBe(name)
    })

    test.each([
      ['What food must I avoid when ordering lunch for Priya?', 'Priya is allergic to peanuts'],
      ['Why did I choose Postgres?', 'Chosen: Postgres knows JSON'],
      ['What did I store about Northwind?', 'Owns forty lorries'],
      ['Tell me about Northwind', 'Owns forty lorries'],
      ['How loud may I be in the kitchen?', 'We must avoid noise'],
    ])('"%s" is still answered by "%s"', async (query, fact) => {
      expect(await firstOf(query)).toBe(fact)
    })
  })

  test('"me" of "Tell me about" is not what is asked for', async () => {
    await begin([{ name: 'User', type: 'person', observations: ['Prefers vim'] }])
    const { observations = [], notice } = await recall('Tell me about Zeppelin')
    expect([observations, notice]).toEqual([[], expect.stringContaining('"Zeppelin"')])
  })

  test('a name in another script is found by its alias, and nothing false is said without one', async () => {
    await begin([])
    const create = async (name: string, observations: string[]) =>
      (await person.rest.createEntity({ body: { name, type: 'person', observations } })).entity
    const kanji = await create('田中', ['Runs the Osaka office'])
    const alone = await recall('Who is Tanaka?')
    expect(alone.notice).toContain('Nothing stored has the word "Tanaka" in these letters.')
    const latin = await create('Tanaka', [])
    expect((await recall('Who is 田中?')).observations?.[0]?.content).toBe('Runs the Osaka office')
    await person.rest.mergeEntity({ params: { id: latin.id }, body: { into: kanji.id } })
    expect(await firstOf('Who is Tanaka?')).toBe('Runs the Osaka office')
  })

  test('facts of an entity are found by a part of its name', async () => {
    await begin([
      { name: 'Terraform layout', type: 'note', observations: ['Modules live in infra, one for each team'] },
      ...Array.from({ length: 40 }, (_, i) => ({
        name: `Page ${i}`,
        type: 'page',
        observations: [`Repo ${i}`],
      })),
    ])
    const { observations = [] } = await recall('folder structure of the terraform repo')
    expect(observations.map(({ content }) => content)).toContain('Modules live in infra, one for each team')
  })
})
