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

describeOnBothDatabases('versions', (server) => {
  test.each([
    ['v3.53.1', 'SQLite 3.53.1 fixed the bug'],
    ['3.53.1', 'SQLite v3.53.1 fixed the bug'],
    ['version 3.53', 'SQLite v3.53.1 fixed the bug'],
    ['3.53', 'SQLite 3.53.1 fixed the bug'],
    ['3.53', 'SQLite v3.53.1-rc.1 fixed the bug'],
  ])('%s finds "%s" first', async (query, content) => {
    const alice = await server().signUp()
    const observations = [...others, content, ...others.map((other) => `${other} again`)]
    await alice.rest.createEntity({ body: { name: 'notes', type: 'list', observations } })
    const found = await alice.rest.searchObservations({ query: { query } })
    expect(found.observations[0]?.content).toBe(content)
  })
})
