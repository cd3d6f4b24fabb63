import type { RestClient } from '@loci/client/rest'
import { describe, expect, test } from 'vitest'
import { type DialectName, describeOnBothDatabases, startTestServer } from '../../../test/harness.ts'

/** The first of facts of different entities, the last of which is the newest. */
async function findFirst(rest: RestClient, query: string, facts: string[]) {
  for (const [i, fact] of facts.entries())
    await rest.createEntity({ body: { name: `note ${i}`, type: 'list', observations: [fact] } })
  const { observations } = await rest.searchObservations({ query: { query } })
  return observations[0]?.content
}

const kiln = 'The kiln is fired twice a year'
const work = 'Lena took her work home'

describeOnBothDatabases('facts with one word of a question each', (server) => {
  const ask = async (query: string, facts: string[]) =>
    findFirst((await server().signUp()).rest, query, facts)

  test.each([
    ['How do potions work?', 'Potions take a bonus action', 'Players like their work'],
    ['How does the kiln work?', kiln, work],
    ['kiln work', kiln, work],
  ])('"%s" finds "%s" before "%s"', async (query, telling, common) => {
    expect(await ask(query, [telling, common])).toBe(telling)
    expect(await ask(query, [common, telling])).toBe(telling)
  })

  // "Computer", "radio" and "hotel" are common in English.
  test.each([
    ['Wo ist der Computer mit dem Zierdeckchen?', 'Das Zierdeckchen ist neu', 'Der Computer ist neu'],
    ['Où est la radio avec le parapluie ?', 'Le parapluie est très vieux', 'La radio est très vieille'],
    ['¿Dónde está el hotel con la sombrilla?', 'La sombrilla es muy grande', 'El hotel es muy grande'],
  ])('"%s", in another language, is told as much by either word', async (query, one, other) => {
    const { rest } = await server().signUp()
    for (const fact of [one, other])
      await rest.createEntity({ body: { name: `note of ${fact}`, type: 'list', observations: [fact] } })
    const { observations } = await rest.searchObservations({ query: { query, explain: 'true' } })
    const [first, second] = observations.map(({ explain }) => explain!.words!)
    expect(first).toBeCloseTo(second!, 5)
  })
})

describe.each<DialectName>(['sqlite', 'postgres'])('without word vectors (%s)', (dialect) => {
  test('the newest fact with one word of a question comes first', async () => {
    const server = await startTestServer(dialect, { hasWordVectors: false })
    const { rest } = await server.signUp()
    expect(await findFirst(rest, 'kiln work', [kiln, work])).toBe(work)
    await server.close()
  })
})
