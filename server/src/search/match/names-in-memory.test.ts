import { spaceHeader } from '@loci/contract/spaces'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTwin, restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('the names of a space', (server) => {
  let alice: Person
  let twin: Awaited<ReturnType<typeof openTwin>>
  let other: Person['rest']
  beforeAll(async () => {
    alice = await server().signUp()
    twin = await openTwin(server())
    other = restWith(twin, alice.apiKey)
    for (const rest of [alice.rest, other]) await similarTo('Anything', rest)
  })
  afterAll(() => twin.close())

  /** What creating an entity says, which is then deleted. */
  async function similarTo(name: string, rest = alice.rest, space?: string): Promise<string[]> {
    const headers = space === undefined ? {} : { headers: { [spaceHeader]: space } }
    const { similar, entity } = await rest.createEntity({ body: { name, type: 'person' }, ...headers })
    await rest.deleteEntity({ params: { id: entity.id }, ...headers })
    return similar.map((one) => one.name)
  }

  async function create(name: string, rest = alice.rest): Promise<string> {
    return (await rest.createEntity({ body: { name, type: 'person' } })).entity.id
  }

  /** Both processes give the same answer. */
  async function expectBoth(name: string, expected: string[]): Promise<void> {
    for (const rest of [alice.rest, other]) expect(await similarTo(name, rest)).toEqual(expected)
  }

  test('include, as similar ones, what another process has just stored', async () => {
    await create('Florence Nightingale', other)
    await expectBoth('Florense Nightingale', ['Florence Nightingale'])
  })

  test('follow a name that changes, goes and comes back', async () => {
    const id = await create('Katherine Johnson')
    await expectBoth('Katherin Johnson', ['Katherine Johnson'])
    await other.updateEntity({ params: { id }, body: { name: 'Dorothy Vaughan', type: 'person' } })
    await expectBoth('Katherin Johnson', [])
    await expectBoth('Dorothy Vaughn', ['Dorothy Vaughan'])
    await alice.rest.deleteEntity({ params: { id } })
    await expectBoth('Dorothy Vaughn', [])
    await other.restoreEntity({ params: { id } })
    await expectBoth('Dorothy Vaughn', ['Dorothy Vaughan'])
  })

  test('refuse a name or alias that another process has just given away, and no name that it has freed', async () => {
    const id = await create('Lise Meitner', other)
    await expect(create('Lise Meitner')).rejects.toMatchObject({ code: 'entity_name_taken' })
    const aliases = { aliases: ['Elise Meitner'] }
    await other.updateEntity({ params: { id }, body: { name: 'Meitner', type: 'person', ...aliases } })
    await expect(create('Elise Meitner')).rejects.toMatchObject({ code: 'entity_name_taken' })
    await other.deleteEntity({ params: { id } })
    await create('Elise Meitner')
    await expect(create('Elise Meitner', other)).rejects.toMatchObject({ code: 'entity_name_taken' })
  })

  test('follow merges and their undoing', async () => {
    const [into, id] = [await create('Hedy Lamarr'), await create('Hedwig Kiesler')]
    const { entity } = await other.mergeEntity({ params: { id }, body: { into } })
    expect(entity.aliases).toEqual(['Hedwig Kiesler'])
    const [merge] = (await alice.rest.listChanges({ query: { limit: '1' } })).changes
    await expectBoth('Hedwig Kieslr', [])
    await other.undoChangeSet({ params: { setId: merge!.setId } })
    await expectBoth('Hedwig Kieslr', ['Hedwig Kiesler'])
  })

  test('follow entities to another space, and forget erased ones', async () => {
    const id = await create('Rosalind Franklin')
    const { space } = await alice.rest.createSpace({ body: { name: 'laboratory' } })
    expect(await similarTo('Rosalin Franklin', other, space.id)).toEqual([])
    await alice.rest.moveEntities({ body: { ids: [id], space: space.id } })
    await expectBoth('Rosalin Franklin', [])
    expect(await similarTo('Rosalin Franklin', other, space.id)).toEqual(['Rosalind Franklin'])
    const inSpace = { headers: { [spaceHeader]: space.id } }
    await alice.rest.eraseEntity({ params: { id }, ...inSpace })
    expect(await similarTo('Rosalin Franklin', other, space.id)).toEqual([])
  })
})
