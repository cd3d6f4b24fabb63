import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { toIso } from '../../ground/lib/time.ts'

describeOnBothDatabases('the newest observations of entities', (server) => {
  test("are listed by id, shortened, for the caller's entities alone", async () => {
    const alice = await server().signUp('alice')
    const bob = await server().signUp('bob')
    const create = async (name: string, observations: string[]) =>
      (await alice.rest.createEntity({ body: { name, type: 't', observations } })).entity.id
    const ada = await create('Ada', ['Born in 1815', 'Wrote the first program'])
    const long = await create('Long', ['🚀'.repeat(400)])
    const bare = await create('Bare', [])
    const query = { ids: [ada, long, bare, 'nonsense'].join() }
    expect(await alice.rest.graphNotes({ query })).toEqual({
      notes: { [ada]: 'Wrote the first program', [long]: '🚀'.repeat(280) },
    })
    await bob.rest.createEntity({ body: { name: 'Own', type: 't' } })
    expect(await bob.rest.graphNotes({ query: { ids: [long, bare].join() } })).toEqual({ notes: {} })
    const many = Array.from({ length: 101 }, (_, i) => `e${i}`).join()
    await expect(alice.rest.graphNotes({ query: { ids: many } })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('are none that has expired or was replaced', async () => {
    const { rest } = await server().signUp()
    const expiresAt = toIso(server().clock.now + 1)
    const observations = ['Was first', 'Is second', { content: 'Is brief', expiresAt }]
    const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 't', observations } })
    const replaces = [entity.observations[0]!.id]
    const { entity: other } = await rest.createEntity({
      body: { name: 'Eve', type: 't', observations: [{ content: 'Is new', replaces }] },
    })
    const params = { id: other.id, observationId: other.observations[0]!.id }
    const body = { replaces: [entity.observations[1]!.id, ...replaces] }
    const query = { ids: entity.id }
    expect(await rest.graphNotes({ query })).toEqual({ notes: { [entity.id]: 'Is brief' } })
    server().clock.now += 1
    expect(await rest.graphNotes({ query })).toEqual({ notes: { [entity.id]: 'Is second' } })
    await rest.updateObservation({ params, body })
    expect(await rest.graphNotes({ query })).toEqual({ notes: {} })
  })
})
