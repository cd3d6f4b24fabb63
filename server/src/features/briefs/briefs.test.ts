import { beforeEach, expect, test } from 'vitest'
import { addMember, restWith } from '../../../test/accounts.ts'
import { ask } from '../../../test/agent.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'

describeOnBothDatabases('the brief', (server) => {
  let person: Person
  beforeEach(async () => {
    person = await server().signUp()
    await call('create_entities', {
      entities: [
        { name: 'Ada', entityType: 'person', observations: ['Drinks green tea at noon', 'Likes hats'] },
      ],
    })
    await mark()
    server().clock.now += 1_000
  })

  async function call(tool: string, args: object) {
    const agent = await connectOverHttp(server(), person.apiKey, 'auto')
    await ask(agent, tool, args)
    await agent.close()
  }
  const learn = (...contents: string[]) =>
    call('add_observations', { observations: [{ entityName: 'Ada', contents }] })
  const brief = async ({ rest }: Pick<Person, 'rest'> = person) => (await rest.getBrief()).brief
  const mark = async () => person.rest.markBrief({ body: { seq: (await brief()).seq } })
  const ada = async () => {
    const { entities } = await person.rest.listEntities()
    return (await person.rest.getEntity({ params: { id: entities[0]!.id } })).entity
  }

  test('begins when somebody looks for the first time', async () => {
    const other = await server().signUp()
    await other.rest.createEntity({ body: { name: 'Loom', type: 'machine', observations: ['Weaves'] } })
    expect(await brief(other)).toMatchObject({ since: null, seq: 2, items: [], recalled: { times: 0 } })
    await other.rest.markBrief({ body: { seq: 2 } })
    expect(await brief(other)).toMatchObject({ since: toIso(server().clock.now), items: [] })
  })

  test('tells what agents learned, by whom and about what, newest first', async () => {
    await learn('Moved to Oslo', 'Plays the harp')
    const { items } = await brief()
    expect(items).toMatchObject([
      { kind: 'learned', content: 'Plays the harp', entity: { name: 'Ada', type: 'person' }, isRead: false },
      { kind: 'learned', content: 'Moved to Oslo', by: { kind: 'personal_key', client: 'test-agent' } },
    ])
  })

  test('tells corrections and replacements with the wording before', async () => {
    const { id, observations } = await ada()
    const [tea, hats] = observations.map((observation) => observation.id)
    const byKey = restWith(server(), person.apiKey)
    const content = 'Likes straw hats'
    await byKey.updateObservation({ params: { id, observationId: hats! }, body: { content } })
    await byKey.createObservations({
      params: { id },
      body: { content: 'Now drinks black tea at noon', replaces: [tea!] },
    })
    const { items } = await brief()
    expect(items).toMatchObject([
      { kind: 'changed', content: 'Now drinks black tea at noon', before: 'Drinks green tea at noon' },
      { kind: 'changed', content: 'Likes straw hats', before: 'Likes hats' },
    ])
    expect(items[0]!.entity.id).toBe(id)
  })

  test('names an earlier fact beside which a new one may not hold', async () => {
    await learn('Now drinks black tea at noon')
    expect((await brief()).items).toMatchObject([
      {
        kind: 'rival',
        content: 'Now drinks black tea at noon',
        rival: { content: 'Drinks green tea at noon' },
      },
    ])
  })

  test('tells what was forgotten, and leaves out what came and went', async () => {
    await learn('A slip')
    await call('delete_observations', {
      deletions: [{ entityName: 'Ada', observations: ['A slip', 'Likes hats'] }],
    })
    expect((await brief()).items).toMatchObject([{ kind: 'forgotten', content: 'Likes hats' }])
    await call('delete_entities', { entityNames: ['Ada'] })
    expect((await brief()).items[0]).toMatchObject({
      kind: 'forgotten',
      content: 'Ada',
      entity: { type: 'person' },
    })
  })

  test('leaves out what the person did in the browser, but not what others did', async () => {
    const member = await addMember(server(), person)
    await member.markBrief({ body: { seq: 0 } })
    const before = (await member.getBrief()).brief.items.length
    await person.rest.createObservations({
      params: { id: (await ada()).id },
      body: { content: 'Said by hand' },
    })
    expect((await brief()).items).toEqual([])
    expect((await member.getBrief()).brief.items).toHaveLength(before + 1)
  })

  test('keeps what is read for each person, until everything is', async () => {
    await learn('Moved to Oslo', 'Plays the harp')
    const [harp, oslo] = (await brief()).items
    await person.rest.readBrief({ body: { seqs: [harp!.seq, 10_000] } })
    expect((await brief()).items.map(({ isRead }) => isRead)).toEqual([true, false])
    const member = await addMember(server(), person)
    await member.markBrief({ body: { seq: oslo!.seq - 1 } })
    expect((await member.getBrief()).brief.items.map(({ isRead }) => isRead)).toEqual([false, false])
    await mark()
    expect((await brief()).items).toEqual([])
    // An older page in another tab does not bring it back.
    await person.rest.markBrief({ body: { seq: 0 } })
    expect((await brief()).items).toEqual([])
  })

  test('counts recalls, and names the fact told most often and the rules with their use', async () => {
    await learn('Always answer in English')
    server().clock.now += 1_000
    await mark()
    server().clock.now += 1_000
    for (const query of ['green tea?', 'who drinks green tea', 'zeppelin']) await call('recall', { query })
    const { recalled, rules } = await brief()
    expect(recalled).toMatchObject({
      ...{ times: 3, notFound: 1 },
      most: { content: 'Drinks green tea at noon', entity: { name: 'Ada' }, times: 2 },
    })
    expect(rules).toMatchObject([{ content: 'Always answer in English', entity: { name: 'Ada' } }])
  })

  test('cuts long texts, and says if there was more than it looks at', async () => {
    await learn('x'.repeat(60_000))
    const [item] = (await brief()).items
    expect(item!.content).toHaveLength(601)
    for (let i = 0; i < 4; i++) await learn(...Array.from({ length: 90 }, (_, n) => `Fact ${i} of ${n}`))
    const { items, isComplete } = await brief()
    expect([items.length, isComplete]).toEqual([300, false])
    server().clock.now += 3 * dayMs
    await mark()
    expect(await brief()).toMatchObject({ items: [], isComplete: true })
  })
})
