import { spaceHeader } from '@loci/contract/spaces'
import { beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('duplicates', (server) => {
  let alice: Person
  beforeAll(async () => {
    alice = await server().signUp('alice')
    const person = (name: string, ...observations: string[]) => ({ name, type: 'person', observations })
    await alice.rest.createBatch({
      body: {
        entities: [
          person('Robert Miller', 'Works on the search index at Acme', 'Lives in Berlin'),
          person('Bob Miller', 'Lives in Berlin', 'Has a dog called Rex since 2024'),
          person('Ada Lovelace', 'Wrote the first program'),
          person('Ada', 'Wrote notes on the engine'),
          person('Ada Byron'),
          person('Maria Miller'),
          person('Mario Miller'),
          { name: 'checkout-service', type: 'service', observations: ['Written in Go', 'Owned by payments'] },
          { name: 'CheckoutService', type: 'component', observations: [] },
          { name: 'Release 12', type: 'event' },
          { name: 'Release 13', type: 'event' },
          { name: 'Analytical Engine', type: 'machine' },
          { name: 'Master Plan', type: 'document' },
          { name: 'Roadmap 2030', type: 'document' },
          { name: 'PostgreSQL', type: 'database' },
          { name: 'Postgres QL', type: 'database' },
        ],
        relations: [
          { from: 'Ada Lovelace', to: 'Analytical Engine', type: 'wrote_about' },
          { from: 'Ada', to: 'Analytical Engine', type: 'knows' },
          { from: 'Master Plan', to: 'Roadmap 2030', type: 'also_known_as' },
          { from: 'Ada Byron', to: 'Ada Lovelace', type: 'cousin_of' },
        ],
      },
    })
  })

  const namesOf = async (person = alice, headers = {}) => {
    const { duplicates } = await person.rest.listDuplicates({ headers })
    return duplicates.map(({ entities }) => entities.map(({ name }) => name).join(' < '))
  }

  test('are proposed by name, nickname, shared neighbours and relations, with reasons, likeliest first', async () => {
    const { duplicates, total } = await alice.rest.listDuplicates()
    expect(await namesOf()).toEqual([
      'PostgreSQL < Postgres QL',
      'Robert Miller < Bob Miller',
      'checkout-service < CheckoutService',
      'Master Plan < Roadmap 2030',
      'Ada Lovelace < Ada',
    ])
    expect(total).toBe(5)
    const scores = duplicates.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    const miller = duplicates[1]!
    expect(miller.reasons.map(({ text }) => text)).toEqual([
      'Robert and Bob are forms of one name',
      'Both are of the type person',
      'Both say "Lives in Berlin"',
    ])
    expect(miller.entities[0]).toMatchObject({
      observationsCount: 2,
      relationsCount: 0,
      observations: [{ content: 'Works on the search index at Acme' }, { content: 'Lives in Berlin' }],
    })
    expect(duplicates[4]!.reasons).toContainEqual({
      kind: 'neighbours',
      text: 'Both are related to Analytical Engine',
    })
  })

  test('come page by page', async () => {
    const first = await alice.rest.listDuplicates({ query: { limit: '3' } })
    const second = await alice.rest.listDuplicates({ query: { limit: '3', cursor: first.nextCursor! } })
    expect([first.duplicates.length, second.duplicates.length, second.nextCursor]).toEqual([3, 2, null])
  })

  test('are no longer proposed once somebody marked them as different, until that is undone', async () => {
    const { duplicates } = await alice.rest.listDuplicates()
    const pair = duplicates[0]!.entities.map(({ id }) => id) as [string, string]
    await alice.rest.dismissDuplicate({ body: { ids: pair } })
    await alice.rest.dismissDuplicate({ body: { ids: pair.toReversed() as [string, string] } })
    expect(await namesOf()).not.toContain('PostgreSQL < Postgres QL')
    await alice.rest.undismissDuplicate({ body: { ids: pair } })
    expect(await namesOf()).toContain('PostgreSQL < Postgres QL')
    await expect(alice.rest.dismissDuplicate({ body: { ids: [pair[0], 'ent_zzzz'] } })).rejects.toMatchObject(
      {
        code: 'entity_not_found',
      },
    )
    await expect(alice.rest.dismissDuplicate({ body: { ids: [pair[0], pair[0]] } })).rejects.toMatchObject({
      code: 'same_entity',
    })
  })

  test('disappear when merged, return when that is undone, and follow writes', async () => {
    const { duplicates } = await alice.rest.listDuplicates()
    const [keep, go] = duplicates[1]!.entities
    const { setId } = await alice.rest.mergeEntities({ body: { ids: [go.id], into: keep.id } })
    expect(await namesOf()).not.toContain('Robert Miller < Bob Miller')
    await alice.rest.createEntity({ body: { name: 'BOB MILLER', type: 'person' } })
    const { duplicates: after } = await alice.rest.listDuplicates()
    const found = after.find(({ entities }) => entities[1].name === 'BOB MILLER')
    expect(found?.reasons[0]?.kind).toBe('alias')
    await alice.rest.deleteEntity({ params: { id: found!.entities[1].id } })
    await alice.rest.undoChangeSet({ params: { setId: setId! } })
    expect(await namesOf()).toContain('Robert Miller < Bob Miller')
  })

  test('never cross accounts or spaces', async () => {
    const bob = await server().signUp('bob')
    expect(await namesOf(bob)).toEqual([])
    await alice.rest.createSpace({ body: { name: 'elsewhere' } })
    expect(await namesOf(alice, { [spaceHeader]: 'elsewhere' })).toEqual([])
    const { duplicates } = await alice.rest.listDuplicates()
    const ids = duplicates[0]!.entities.map(({ id }) => id) as [string, string]
    await expect(
      alice.rest.dismissDuplicate({ body: { ids }, headers: { [spaceHeader]: 'elsewhere' } }),
    ).rejects.toMatchObject({ code: 'entity_not_found' })
  })

  test('are listed to agents by name, ready to merge', async () => {
    const agent = await connectOverHttp(server(), alice.apiKey, 'auto')
    await agent.listTools()
    const { structuredContent } = await agent.callTool({ name: 'find_duplicates', arguments: { limit: 2 } })
    expect(structuredContent).toEqual({
      notice: expect.stringContaining('3 more pairs'),
      duplicates: [
        {
          names: ['Postgres QL'],
          into: 'PostgreSQL',
          score: 0.99,
          reasons: [
            'The names differ only in capitals, spaces or punctuation',
            'Both are of the type database',
          ],
        },
        {
          names: ['Bob Miller'],
          into: 'Robert Miller',
          score: expect.any(Number),
          reasons: expect.any(Array),
        },
      ],
    })
    await agent.close()
  })
})
