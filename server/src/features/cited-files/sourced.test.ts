import { beforeEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('facts from a conversation', (server) => {
  let alice: Person
  beforeEach(async () => {
    alice = await server().signUp()
    await alice.rest.createBatch({
      body: {
        entities: [
          {
            name: 'toll',
            type: 'project',
            observations: [
              { content: 'Rounds once', source: { conversationId: 'cnv_1', turnId: 'trn_4', quote: 'once' } },
              { content: 'From elsewhere', source: { conversationId: 'cnv_2' } },
              'From nowhere',
            ],
          },
          {
            name: 'Lukas',
            type: 'person',
            observations: [{ content: 'Agreed', source: { conversationId: 'cnv_1' } }],
          },
        ],
        relations: [],
      },
    })
  })

  const list = (query: Record<string, string> = {}, person = alice) =>
    person.rest.listSourcedObservations({ query: { conversation: 'cnv_1', ...query } })

  test('are listed in order, with their entity and where they were said', async () => {
    const { observations, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    expect(observations).toMatchObject([
      {
        content: 'Rounds once',
        source: { conversationId: 'cnv_1', turnId: 'trn_4', quote: 'once' },
        entity: { name: 'toll', type: 'project' },
      },
      { content: 'Agreed', entity: { name: 'Lukas', type: 'person' } },
    ])
  })

  test('are paged', async () => {
    const first = await list({ limit: '1' })
    const second = await list({ limit: '1', cursor: first.nextCursor! })
    expect([first, second].flatMap(({ observations }) => observations.map(({ content }) => content))).toEqual(
      ['Rounds once', 'Agreed'],
    )
    expect(second.nextCursor).toBeNull()
  })

  test('stay in the list once they are replaced', async () => {
    const [old] = (await list()).observations
    await alice.rest.createObservations({
      params: { id: old!.entity.id },
      body: { content: 'Rounds never', replaces: [old!.id] },
    })
    expect((await list()).observations[0]).toMatchObject({ content: 'Rounds once', state: 'replaced' })
  })

  test('are not those of another account', async () => {
    expect((await list({}, await server().signUp())).observations).toEqual([])
  })
})
