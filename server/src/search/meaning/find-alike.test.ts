import { spaceHeader } from '@loci/contract/spaces'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTwin, restWith } from '../../../test/accounts.ts'
import {
  type DialectName,
  describeOnBothDatabases,
  type Person,
  startTestServer,
} from '../../../test/harness.ts'

const memory = {
  Ingrid: [
    'Cycles to the studio unless it snows',
    'Has an older brother in Bergen',
    'Fractured an ankle on a hike',
    'Keeps three hens and a goat',
    'Cannot eat shellfish',
    'Sings in a choir on Thursdays',
    'Collects old maps',
    'Bakes sourdough on Sundays',
  ],
  Rafael: [
    'Resides in a flat above the harbour',
    'Graduated in medicine',
    'Plays the cello in a quartet',
    'Drives a battered pickup',
    'Terrified of spiders',
    'Raises two daughters alone',
    'Votes for the greens',
    'Sleeps badly before deadlines',
  ],
}

const others = [
  'The garden gets water at six',
  'Invoices are sent on Fridays',
  'The roof was mended in spring',
  'Tomatoes grow behind the shed',
  'The piano needs tuning',
  'Postgres runs on the second server',
]

const store = (rest: Person['rest']) =>
  Promise.all(
    Object.entries(memory).map(([name, observations]) =>
      rest.createEntity({ body: { name, type: 'person', observations } }),
    ),
  )

async function find(rest: Person['rest'], query: string, space?: string) {
  const headers = space === undefined ? {} : { headers: { [spaceHeader]: space } }
  const { observations } = await rest.searchObservations({ query: { query, explain: 'true' }, ...headers })
  return observations
}

const textsOf = (found: Awaited<ReturnType<typeof find>>) => found.map(({ content }) => content)

describeOnBothDatabases('without a model, the meaning of English words', (server) => {
  let alice: Person
  beforeAll(async () => {
    alice = await server().signUp()
    await store(alice.rest)
  })

  test.each([
    ['How does Ingrid commute?', 'Cycles to the studio unless it snows'],
    ['Does Ingrid have siblings?', 'Has an older brother in Bergen'],
    ['How did Ingrid get injured?', 'Fractured an ankle on a hike'],
    ['Does Ingrid have an allergy to seafood?', 'Cannot eat shellfish'],
    ['Does Rafael suffer from insomnia?', 'Sleeps badly before deadlines'],
    ['What did Rafael learn at university?', 'Graduated in medicine'],
    ['Which musical instrument does Rafael practise?', 'Plays the cello in a quartet'],
    ['What kind of vehicle does Rafael have?', 'Drives a battered pickup'],
    ['What is Rafael scared of?', 'Terrified of spiders'],
    ['Who has an insect phobia?', 'Terrified of spiders'],
  ])('answers "%s"', async (question, answer) => {
    expect(textsOf(await find(alice.rest, question))[0]).toBe(answer)
  })

  test('says why, and trusts a question with digits less', async () => {
    const [first] = await find(alice.rest, 'Which musical quartet does he play in?')
    const [again] = await find(alice.rest, 'Which musical quartet does he play in, in 2024?')
    expect([first!.content, again!.content]).toEqual(Array(2).fill('Plays the cello in a quartet'))
    expect(first!.explain!.meaning).toBeGreaterThan(1.5 * again!.explain!.meaning!)
    expect(again!.explain!.meaning).toBeGreaterThan(0.1)
  })

  test('weighs more than one common word of a question', async () => {
    const { rest } = await server().signUp()
    const answer = 'Fixing the leaking pipe cost ninety euros'
    for (const [i, fact] of [...others, answer, 'The plumber lives nearby'].entries())
      await rest.createEntity({ body: { name: `note ${i}`, type: 'note', observations: [fact] } })
    expect(textsOf(await find(rest, 'How much did the plumber charge for the repair?'))[0]).toBe(answer)
  })

  test('compares the facts of who is asked about with each other, however alike those of others are', async () => {
    const { rest } = await server().signUp()
    const cups = Array.from({ length: 240 }, (_, i) => `Drinks a hot cup of coffee, number ${i}`)
    await rest.createEntity({ body: { name: 'Barista log', type: 'log', observations: cups } })
    const observations = [
      'Finds liquorice tea revolting',
      'Phones her mother at eight',
      'Rents the top floor',
    ]
    await rest.createEntity({ body: { name: 'Hanne Vestergaard', type: 'person', observations } })
    const [first] = await find(rest, 'Which warm beverage does Hanne loathe?')
    expect(first?.content).toBe(observations[0])
  })

  test('knows a person by the first name alone, though that is the first word that tells anything', async () => {
    const { rest } = await server().signUp()
    const forge = 'Forges kitchen knives'
    for (const [name, fact] of [
      ['Kaspar Wyss', forge],
      ['Reto Ammann', 'Does odd jobs for a living, mostly with Kaspar'],
    ] as const)
      await rest.createEntity({ body: { name, type: 'person', observations: [fact] } })
    expect(textsOf(await find(rest, 'What does Kaspar do for a living?'))[0]).toBe(forge)
  })

  test.each([
    ['What is my girl frightened of?', 'Scared of thunderstorms'],
    ['How often do I look at my mail?', 'Reads emails twice a day'],
  ])('knows whether the user is meant: "%s"', async (question, answer) => {
    const { rest } = await server().signUp()
    const memories = [
      {
        name: 'user',
        type: 'person',
        observations: ['Reads emails twice a day', 'Prefers tabs over spaces'],
      },
      { name: 'Lotte', type: 'daughter', observations: ['Scared of thunderstorms', 'Shoe size 31'] },
    ]
    for (const body of memories) await rest.createEntity({ body })
    expect(textsOf(await find(rest, question))[0]).toBe(answer)
  })

  test.each([
    ['Ingrid animals', 'Keeps three hens and a goat'],
    ['Rafael musical instrument', 'Plays the cello in a quartet'],
    ['Ingrid brother country', 'Has an older brother in Bergen'],
  ])('understands bare words: "%s"', async (query, fact) => {
    const { rest } = await server().signUp()
    await store(rest)
    expect(textsOf(await find(rest, query))[0]).toBe(fact)
  })

  test('knows what kind of thing an entity is by other words for its type', async () => {
    const { rest } = await server().signUp()
    for (const [name, type] of [
      ['Osei', 'doctor'],
      ['Lund', 'plumber'],
      ['Quist', 'teacher'],
    ] as const)
      await rest.createEntity({
        body: { name, type, observations: [`Stops working in June, says ${name}`] },
      })
    const [first] = await find(rest, 'When will our physician retire?')
    expect(first?.entity.name).toBe('Osei')
  })

  test('finds a place for "where"', async () => {
    const { rest } = await server().signUp()
    const [address, machine] = ['Headquarters: Mill Lane 12, Bristol', 'The office coffee machine is broken']
    for (const [i, fact] of [...others, address, machine].entries())
      await rest.createEntity({ body: { name: `note ${i}`, type: 'note', observations: [fact] } })
    const found = textsOf(await find(rest, 'Where is the office?'))
    expect(found.slice(0, 2)).toEqual([machine, address])
    // Only the place asked for is known of this question.
    expect(textsOf(await find(rest, 'Where is the vuvuzela?'))).toEqual([])
  })

  test.each([
    ['Why did Omar resign?', 'Quit because the pay was low'],
    ['When did Omar resign?', 'His last day was 31 March'],
    ['How many people did Omar manage?', 'Was the boss of 14 painters'],
    ['Since when was Omar on parental leave?', 'At home with the baby from May until autumn'],
  ])('knows what is asked for: "%s"', async (question, answer) => {
    const { rest } = await server().signUp()
    const observations = [
      'Quit because the pay was low',
      'His last day was 31 March',
      'Was the boss of 14 painters',
      'Clients praised his painting',
      'At home with the baby from May until autumn',
      'At home he keeps bees, because they calm him',
    ]
    await rest.createEntity({ body: { name: 'Omar', type: 'person', observations } })
    expect(textsOf(await find(rest, question))[0]).toBe(answer)
  })

  test('finds nothing where nothing is alike', async () => {
    expect(await find(alice.rest, 'What is the boiling point of tungsten?')).toEqual([])
  })

  test('does not overturn a fact with all words of the question', async () => {
    const bob = await server().signUp()
    const observations = ['Spiders and the scary film', 'Spiders frighten him', 'Dreads insects', 'Likes tea']
    await bob.rest.createEntity({ body: { name: 'Omar', type: 'person', observations } })
    const [first] = await find(bob.rest, 'What about the scary spiders of Omar?')
    expect(first).toMatchObject({ content: observations[0], explain: { meaning: 0.3 } })
  })

  test('counts what the names of entities mean, also for a fact without a known word', async () => {
    const { rest } = await server().signUp()
    const create = (name: string) =>
      rest.createEntity({ body: { name, type: 'thing', observations: ['Zwrbk 77'] } })
    const { entity: van } = await create('Camper Van')
    const { entity: violin } = await create('Violin')
    const firstEntity = async () => (await find(rest, 'Which zwrbk belongs to the vehicle?'))[0]?.entity.id
    expect(await firstEntity()).toBe(van.id)
    await rest.updateEntity({ params: { id: van.id }, body: { name: 'Guitar', type: 'thing' } })
    await rest.updateEntity({ params: { id: violin.id }, body: { name: 'Pickup Truck', type: 'thing' } })
    expect(await firstEntity()).toBe(violin.id)
  })

  test('says nothing about questions in languages without English words', async () => {
    const found = await find(alice.rest, 'Na jakim instrumencie gra Ingrid i czyje są hens?')
    expect(found.length).toBeGreaterThan(0)
    for (const { explain } of found) expect(explain).not.toHaveProperty('meaning')
  })

  test('finds the part of a long text that is alike', async () => {
    const bob = await server().signUp()
    const sentences = [
      'Corn and barley were gathered from the fields. ',
      'Bishops prayed beneath the spire and the altar. ',
      'Locomotives pulled wagons along the tracks to the station. ',
    ]
    const content = sentences.map((sentence) => sentence.repeat(12)).join('')
    await bob.rest.createEntity({
      body: { name: 'Chronicle', type: 'book', observations: [content, 'Bound in leather'] },
    })
    const [first] = await find(bob.rest, 'What does it say about trains and railways?')
    expect(first?.content).toBe(content)
  })
})

const inOtherLanguages = {
  German: ['Hat Angst vor Wespen', 'Die Zahnspange wird im Februar angepasst', 'Singt im Kirchenchor'],
  French: ['Ne mange ni viande ni poisson', 'Le loyer est payé par virement', 'Joue de la harpe'],
  Spanish: ['Le da miedo la oscuridad', 'Duerme hasta las diez', 'Es alérgica a los cacahuetes'],
  Italian: ['Ha paura dei cani', 'Prende il treno ogni mattina', 'È allergica alle fragole'],
  Portuguese: ['Tem medo de aranhas', 'Toca violino na orquestra', 'O aluguel vence no dia cinco'],
  Dutch: ['Is allergisch voor katten', 'Gaat met de fiets naar het werk', 'Drinkt nooit koffie'],
  Russian: ['Боится собак', 'Играет на скрипке', 'Аллергия на арахис'],
  Japanese: ['犬が怖い', '毎朝電車で通っている', '朝食にパンは食べない'],
  Chinese: ['对海鲜过敏', '晚上十点以后手机静音', '每周四练瑜伽'],
}

describeOnBothDatabases('without a model, the meaning of words in other languages', (server) => {
  let rest: Person['rest']
  beforeAll(async () => {
    rest = (await server().signUp()).rest
    for (const [name, observations] of Object.entries(inOtherLanguages))
      await rest.createEntity({ body: { name, type: 'person', observations } })
  })

  test.each([
    ['Is she scared of wasps?', 'Hat Angst vor Wespen'],
    ['Is there somebody who is vegetarian?', 'Ne mange ni viande ni poisson'],
    ['Which musical instrument does he practise?', 'Joue de la harpe'],
    ['Does she have an allergy to peanuts?', 'Es alérgica a los cacahuetes'],
    ['Who commutes by rail?', 'Prende il treno ogni mattina'],
    ['Who plays a string instrument?', 'Toca violino na orquestra'],
    ['Who goes to the office by bicycle?', 'Gaat met de fiets naar het werk'],
    ['Who is frightened of dogs?', 'Боится собак'],
    ['Chi suona uno strumento musicale?', 'Играет на скрипке'],
    ['Кто не любит пауков?', 'Tem medo de aranhas'],
    ['Who commutes by train?', '毎朝電車で通っている'],
    ['Who should avoid lobster and shrimp?', '对海鲜过敏'],
    ['Wer fürchtet sich vor Hunden?', '犬が怖い'],
    ['谁害怕狗？', '犬が怖い'],
    ['¿Quién tiene alergia a las nueces?', 'Es alérgica a los cacahuetes'],
  ])('answers "%s"', async (question, answer) => {
    expect(textsOf(await find(rest, question))).toContain(answer)
  })
})

describeOnBothDatabases('the meanings of a space', (server) => {
  const question = 'Which musical instrument is practised?'
  let alice: Person
  let twin: Awaited<ReturnType<typeof openTwin>>
  let other: Person['rest']
  beforeAll(async () => {
    alice = await server().signUp()
    twin = await openTwin(server())
    other = restWith(twin, alice.apiKey)
    await store(alice.rest)
    await expectBoth('Plays the cello in a quartet')
  })
  afterAll(() => twin.close())

  /** Both processes give the same answer. */
  async function expectBoth(answer: string | undefined, space?: string): Promise<void> {
    for (const rest of [alice.rest, other]) expect(textsOf(await find(rest, question, space))[0]).toBe(answer)
  }

  test('follow facts that are corrected, deleted, restored and moved, by whichever process', async () => {
    const [cello] = await find(other, question)
    const params = { id: cello!.entity.id, observationId: cello!.id }
    await other.updateObservation({ params, body: { content: 'Plays chess in a club' } })
    const [former] = await find(alice.rest, question)
    expect(former?.content).not.toBe('Plays the cello in a quartet')
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Nadia', type: 'person', observations: ['Took up the guitar', 'Naps after lunch'] },
    })
    await expectBoth('Took up the guitar')
    await other.deleteEntity({ params: { id: entity.id } })
    expect(textsOf(await find(alice.rest, question))).not.toContain('Took up the guitar')
    await alice.rest.restoreEntity({ params: { id: entity.id } })
    await expectBoth('Took up the guitar')
    const { space } = await other.createSpace({ body: { name: 'orchestra' } })
    await alice.rest.moveEntities({ body: { ids: [entity.id], space: space.id } })
    await expectBoth('Took up the guitar', space.id)
    expect(textsOf(await find(other, question))).not.toContain('Took up the guitar')
  })
})

describe.each<DialectName>(['sqlite', 'postgres'])('switched off (%s)', (dialect) => {
  test('search matches words only, and the status says so', async () => {
    const server = await startTestServer(dialect, { hasWordVectors: false })
    const { rest } = await server.signUp()
    await store(rest)
    expect(await find(rest, 'Who has an insect phobia?')).toEqual([])
    expect(await rest.embeddingsStatus()).toMatchObject({ state: 'off', model: null })
    await server.close()
  })
})
