import { expect, test } from 'vitest'
import { ask } from '../../../test/agent.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

const facts = {
  name: 'Nora Ephron',
  first: 'First husband was Dan Greenburg, 1967 to 1976',
  second: 'Second husband was Carl Bernstein, 1976 to 1980',
  third: 'Third husband was Nicholas Pileggi, since 1987',
  school: 'Nora Ephron went to Wellesley College in the 1950s, before she had a husband',
}

describeOnBothDatabases('periods in texts and questions', (server) => {
  async function openNora() {
    const alice = await server().signUp()
    await alice.rest.createEntity({
      body: { name: 'Nora Ephron', type: 'person', observations: Object.values(facts) },
    })
    return alice
  }

  test.each([
    ['who was the husband of Nora Ephron in 1978?', facts.second],
    ['husband of Nora Ephron from Aug 1977 to 1979', facts.second],
    ['husband of Nora Ephron between 1968 and May 1970', facts.first],
    ['wer war 1969 der husband von Nora Ephron?', facts.first],
    ['Where was Nora Ephron in 1955?', facts.school],
  ])('"%s" finds the fact of that time', async (query, content) => {
    const alice = await openNora()
    const { observations } = await alice.rest.searchObservations({ query: { query } })
    expect(observations[0]?.content).toBe(content)
  })

  test.each([
    ['What happened in 1066?', ['1066-10-14']],
    ['What happened before 1970?', ['1066-10-14', '1900', '1969-12-31']],
    ['What happened in 1970?', ['1970-01-01']],
    ['What happened in 2025?', ['2025', '2025-12', '2025-12-31']],
    ['What happened in December 2025?', ['2025', '2025-12', '2025-12-31']],
    ['What happened in 2026?', ['2026', '2026-01', '2026-01-01']],
  ])(
    '"%s" is answered by what was dated then, even if it was before computers counted',
    async (query, dates) => {
      const all = [
        '1066-10-14',
        '1900',
        '1969-12-31',
        '1970-01-01',
        '2025',
        '2025-12',
        '2025-12-31',
        '2026',
        '2026-01',
      ]
      const alice = await server().signUp()
      const observations = [...all, '2026-01-01'].map((at) => ({ content: `A ship ${at.length} sank`, at }))
      await alice.rest.createEntity({ body: { name: 'Sea', type: 'place', observations } })
      const found = await alice.rest.searchObservations({ query: { query, limit: '20' } })
      expect(found.observations.map(({ at }) => at).sort()).toEqual(dates)
    },
  )

  test('an agent recalls the fact of that time first', async () => {
    const agent = await connectOverHttp(server(), (await openNora()).apiKey, 'auto')
    const query = 'who was the husband of Nora Ephron in 1978?'
    const { structured } = await ask(agent, 'recall', { query })
    await agent.close()
    expect(structured).toMatchObject({ observations: [{ content: facts.second }, {}, {}, {}, {}] })
  })

  test.each([
    ['Which team did Olav Berg train in 2010?', 'Brann'],
    ['Which team did Olav Berg train from Aug 2013 to 2014?', 'Sogndal'],
  ])('"%s" finds the heading of that time before the other', async (query, heading) => {
    const alice = await server().signUp()
    const observations = [
      'Brann',
      'He signed a contract and stayed from June 2009 to May 2011',
      'Sogndal',
      'He came back to the coast from July 2013 to May 2015',
    ]
    await alice.rest.createEntity({ body: { name: 'Olav Berg', type: 'person', observations } })
    const { observations: found } = await alice.rest.searchObservations({ query: { query } })
    expect(found.map(({ content }) => content).find((content) => /^\w+$/.test(content))).toBe(heading)
  })
})
