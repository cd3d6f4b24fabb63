import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { readQuestion } from '../ask/question.ts'
import { findIndexedSpace } from '../store/search-index.repo.ts'
import { matchVocabulary } from './vocabulary-match.ts'

const others = ['The garden gets water at six', 'Charlie charms chairs', 'A door is locked']

describeOnBothDatabases('guessed words', (server) => {
  async function find(query: string, observations: string[]) {
    const alice = await server().signUp()
    for (const [i, content] of observations.entries()) {
      await alice.rest.createEntity({ body: { name: `note ${i}`, type: 'list', observations: [content] } })
    }
    const found = await alice.rest.searchObservations({ query: { query } })
    return found.observations.map((hit) => hit.content)
  }

  test.each([
    ['book', 'The notebook is blue'],
    ['Dampfschiff Gesellschaft', 'Die Donaudampfschifffahrtsgesellschaft ist alt'],
    ['Dampfschifffahrtsgesellschaft', 'Eine Gesellschaft und ihre Dampfschifffahrten'],
    ['Dampf Schiff', 'Das Dampfschiff ist alt'],
    ['the data base in the garden', 'The database is slow'],
  ])('%s finds "%s" when nobody wrote it', async (query, content) => {
    expect(await find(query, [...others, content])).toContain(content)
  })

  test('a short word is within too many others to mean one of them', async () => {
    expect(await find('Which car?', ['The card is in the drawer'])).toEqual([])
  })

  test('the answer says what unknown words were taken for, and which found nothing', async () => {
    const { ctx, signUp } = server()
    const alice = await signUp()
    await alice.rest.createEntity({
      body: {
        name: 'Ada',
        type: 'person',
        observations: ['Katharina paid the charges', 'The database is slow'],
      },
    })
    const match = async (query: string) => {
      const space = await findIndexedSpace(ctx.db, await scopeOf(server(), alice))
      return matchVocabulary(
        ctx,
        space!,
        readQuestion({ query: query, typing: false, limit: 10, expand: false, byMeaning: false }, 0),
        async () => new Set(),
      )
    }
    const told = await match('Which chrages did Ada pay at the zeppelin data base?')
    expect(Object.fromEntries(told.guessed)).toEqual({
      chrages: ['charges'],
      data: ['database'],
      base: ['database'],
    })
    expect(told.unknown).toEqual(['zeppelin'])
    const known = await match('Which charges?')
    expect([known.guessed.size, known.unknown]).toEqual([0, []])
  })

  test('neighbours written as one word count as both words', async () => {
    const content = 'GET /healthcheck stays public'
    const others = ['The body of each call needs a check', 'The check of the body takes long']
    expect((await find('health check endpoint', [content, ...others]))[0]).toBe(content)
  })

  test('the facts of someone come first by a first name that nobody else has', async () => {
    const alice = await server().signUp()
    const observations = ['Postdoc until September 2027', 'Maintains the training code']
    await alice.rest.createEntity({ body: { name: 'Jonas Lindgren', type: 'person', observations } })
    const others = ['Contract of the lab ends in 2028', 'The contract with Jonas Bros ends in May']
    await alice.rest.createEntity({ body: { name: 'Lab', type: 'place', observations: others } })
    const ask = async () => {
      const query = "When does Jonas's contract end?"
      return (await alice.rest.searchObservations({ query: { query } })).observations[0]?.entity.name
    }
    expect(await ask()).toBe('Jonas Lindgren')
    await alice.rest.createEntity({ body: { name: 'Jonas Meyer', type: 'person' } })
    expect(await ask()).toBe('Lab')
  })

  test('words that only ask for a number or a possibility are not looked for', async () => {
    const told = ['Many orders came late', 'We must feed 3 cats']
    expect(await find('how many cats?', told)).toEqual([told[1]])
  })
})
