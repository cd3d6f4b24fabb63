import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

describeOnBothDatabases('an answer of many megabytes', (server) => {
  test('arrives whole, also in a list', async () => {
    const alice = await server().signUp()
    const { entity } = await alice.rest.createEntity({ body: { name: 'Log', type: 'log' } })
    const observations = Array.from({ length: 200 }, (_, i) => ({
      content: `${i} ${'long '.repeat(13_000)}`,
    }))
    for (const from of [0, 100]) {
      const body = { observations: observations.slice(from, from + 100) }
      await alice.rest.createObservations({ params: { id: entity.id }, body })
    }
    const { entity: read } = await alice.rest.getEntity({ params: { id: entity.id } })
    expect(read.observations).toMatchObject(observations)
    const { entities } = await alice.rest.listEntities({ query: { include: 'observations' } })
    expect(entities[0]?.observations).toMatchObject(observations)
  })
})
