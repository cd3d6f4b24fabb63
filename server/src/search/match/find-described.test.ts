import { beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('whom a question describes by what they are to the user', (server) => {
  let alice: Person

  beforeAll(async () => {
    alice = await server().signUp()
    const person = (name: string, ...observations: string[]) => ({ name, type: 'person', observations })
    await alice.rest.createBatch({
      body: {
        entities: [
          person(
            'default_user',
            'Runs a bakery in Leipzig with her sister Mara',
            'Is allergic to sesame, like Tom',
            'Lives in Leipzig and works at night',
            'Her dentist is Dr. Albrecht, whom Tom recommended',
            'Ihre Schwiegermutter ist Jule Hartwig',
          ),
          person('Mara Lindner', 'Lives above the shop', 'Vegetarian since 2015'),
          person('Dr. Albrecht', 'Closed on Wednesdays'),
          person('Tom Reiter', 'Works for the railway', 'Closed his account in May'),
          person('Ella', 'Goes to the forest kindergarten'),
          person('Jule Hartwig', 'Wohnt in Halle'),
          person('Priya Nair', 'Works from Lisbon in winter'),
          person('Ines Prado', 'Works from Porto in winter'),
        ],
        relations: [
          { from: 'default_user', to: 'Tom Reiter', type: 'has_brother' },
          { from: 'Ella', to: 'default_user', type: 'daughter_of' },
          { from: 'default_user', to: 'Jule Hartwig', type: 'daughter_of' },
          { from: 'Priya Nair', to: 'default_user', type: 'manages' },
          { from: 'default_user', to: 'Ines Prado', type: 'manages' },
        ],
      },
    })
  })

  const first = async (query: string) => {
    const { observations } = await alice.rest.searchObservations({ query: { query } })
    return `${observations[0]?.entity.name}: ${observations[0]?.content}`
  }

  test.each([
    ['Where does my sister live?', 'Mara Lindner: Lives above the shop'],
    ['Does my little sister eat meat?', 'Mara Lindner: Vegetarian since 2015'],
    ['When is my dentist closed?', 'Dr. Albrecht: Closed on Wednesdays'],
    ['Is our dentist closed on Wednesdays or in May?', 'Dr. Albrecht: Closed on Wednesdays'],
    ["Where does my brother work? He's on the train a lot", 'Tom Reiter: Works for the railway'],
    ['Which kindergarten is my daughter in?', 'Ella: Goes to the forest kindergarten'],
    ['Where does my manager work in winter?', 'Priya Nair: Works from Lisbon in winter'],
    ['Wo wohnt meine Schwiegermutter?', 'Jule Hartwig: Wohnt in Halle'],
  ])('%s', async (question, answer) => {
    expect(await first(question)).toBe(answer)
  })

  test('who it is, a fact of the user tells', async () => {
    expect(await first('Who is my dentist?')).toContain('Her dentist is Dr. Albrecht')
  })

  test('what nobody is to the user is asked of the user', async () => {
    expect(await first('Where does my work take place?')).toMatch(/^default_user: /)
  })
})
