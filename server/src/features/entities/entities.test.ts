import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

describeOnBothDatabases('entities', (server) => {
  test('an entity is created, read, replaced and deleted', async () => {
    const { rest } = await server().signUp()
    const { entity } = await rest.createEntity({
      body: {
        name: 'Ada Lovelace',
        type: 'person',
        metadata: { born: 1815 },
        observations: ['Wrote the first program'],
      },
    })
    expect(entity).toMatchObject({
      name: 'Ada Lovelace',
      type: 'person',
      metadata: { born: 1815 },
      observationsCount: 1,
    })
    expect((await rest.getEntity({ params: { id: entity.id } })).entity).toEqual(entity)

    const { entity: changed } = await rest.updateEntity({
      params: { id: entity.id },
      body: { name: 'Ada', type: 'person', observations: ['Wrote the first program', 'Knew Babbage'] },
    })
    expect(changed.observations.map((observation) => observation.content)).toEqual([
      'Wrote the first program',
      'Knew Babbage',
    ])
    expect(changed.observations[0]).toEqual(entity.observations[0])

    await rest.deleteEntity({ params: { id: entity.id } })
    await expect(rest.getEntity({ params: { id: entity.id } })).rejects.toMatchObject({
      status: 404,
      code: 'entity_not_found',
    })
  })

  test('pages by cursor give every entity once, newest first', async () => {
    const { rest } = await server().signUp()
    for (let i = 0; i < 7; i++)
      await rest.createEntity({ body: { name: `n${i}`, type: i % 2 === 0 ? 'even' : 'odd' } })
    const names: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await rest.listEntities({
        query: { limit: '3', types: 'even,odd', ...(cursor ? { cursor } : {}) },
      })
      expect(page.total).toBe(7)
      names.push(...page.entities.map((entity) => entity.name))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(names).toEqual(['n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0'])
  })
})
