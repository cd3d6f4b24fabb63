import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

const others = [
  'Version 3 of the plan has 53 pages and 1 table',
  'The team of 2 people asked for 5 million stickers',
  'Ravi is 49, his 30 neighbours called him at 2',
  'Release v3.5.1 is old',
  'The bill of 1375 people',
  '15 people came at 2:45 pm',
]

describeOnBothDatabases('quantities', (server) => {
  test.each([
    ['v3.53.1', 'SQLite 3.53.1 fixed the bug'],
    ['3.53.1', 'SQLite v3.53.1 fixed the bug'],
    ['version 3.53', 'SQLite v3.53.1 fixed the bug'],
    ['3.53', 'SQLite 3.53.1 fixed the bug'],
    ['3.53', 'SQLite v3.53.1-rc.1 fixed the bug'],
    ['2.5M', 'The round raised $2,500,000'],
    ['$2,500,000', 'The round raised $2.5 million'],
    ['2,5 Mio', 'The round raised $2.5M'],
    ['+4930901820', 'Call the office: +49 (30) 901820'],
    ['+49 (30) 901820', 'Call the office: +4930901820'],
    ['030 901820', 'Call the office: +49 30 901820'],
    ['1375.80', 'Die Rechnung: 1.375,80 Euro'],
    ['1.375,80', 'The bill is $1,375.80'],
    ['2:30 pm', 'The call is at 14:30'],
    ['14:30', 'The call is at 2:30 PM'],
    ['14:30', 'The call is at 2:30\u202fPM'],
    ['1000000', 'The loan is ₹10,00,000'],
    ['15 percent', 'Sales rose by 15%'],
    ['15%', 'Der Umsatz stieg um 15 Prozent'],
  ])('%s finds "%s" first', async (query, content) => {
    const alice = await server().signUp()
    const observations = [...others, content, ...others.map((other) => `${other} again`)]
    await alice.rest.createEntity({ body: { name: 'notes', type: 'list', observations } })
    const found = await alice.rest.searchObservations({ query: { query } })
    expect(found.observations[0]?.content).toBe(content)
  })

  test('a recognised quantity is highlighted in full', async () => {
    const alice = await server().signUp()
    const content = 'The round raised $2.5 million in May'
    await alice.rest.createEntity({ body: { name: 'notes', type: 'list', observations: [content] } })
    const [hit] = (await alice.rest.searchObservations({ query: { query: '2,500,000' } })).observations
    expect(hit?.highlights.map(([start, end]) => content.slice(start, end))).toEqual(['2.5 million'])
  })
})
