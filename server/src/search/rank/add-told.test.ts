import { beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('a fact that tells the kind of answer asked for', (server) => {
  let alice: Person
  beforeAll(async () => {
    alice = await server().signUp()
    const { rest } = alice
    const facts = {
      Dan: ['Has a severe nut allergy', 'Turned 45 in March', 'Paints boats at the harbour'],
      'Harbour app': [
        'Raised the minimum version to 10',
        'Ships a release every second Tuesday',
        'Written in Go',
      ],
      Ingrid: ['Keeps three hens and a goat', 'Collects old maps', 'Bakes sourdough on Sundays'],
      Rafael: ['Resides in a flat above the harbour', 'Drives a battered pickup', 'Terrified of spiders'],
      Shop: ['Free shipping from 59', 'Opens at nine', 'The till holds 200 in coins'],
    }
    for (const [name, observations] of Object.entries(facts))
      await rest.createEntity({ body: { name, type: 'note', observations } })
  })

  const find = async (query: string) =>
    (await alice.rest.searchObservations({ query: { query, explain: 'true' } })).observations

  test.each([
    ['How old is Dan?', 'Turned 45 in March'],
    ['How often does the harbour app ship?', 'Ships a release every second Tuesday'],
  ])('comes first: "%s"', async (question, answer) => {
    expect((await find(question))[0]!.content).toBe(answer)
  })

  test('is part of the score', async () => {
    for (const { score, explain } of await find('How old is Dan?')) {
      const sum = Object.values(explain!).reduce((total, part) => total + part, 0)
      expect(Math.abs(sum - score)).toBeLessThan(0.01)
    }
    const [first, ...others] = await find('How old is Dan?')
    expect(first!.explain!.kind).toBeGreaterThan(0)
    const severe = others.find(({ content }) => content.includes('severe'))
    expect(severe!.explain!.kind).toBeUndefined()
  })
})
