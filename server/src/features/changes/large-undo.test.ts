import type { RestClient } from '@loci/client/rest'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { statementsOf } from '../../../test/statements-of.ts'
import { checkAll } from '../checks/checks.service.ts'

/** Analysed in some tenths of a second. */
const long = (topic: string) => `${topic} ${'river stone amber. '.repeat(3_200)}`

describeOnBothDatabases('a large undo', (server, dialect) => {
  const expectSound = async () => {
    for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
  }

  test('changes rows that change alike at once, whatever else each of them has', async () => {
    const { rest } = await server().signUp()
    const createMany = async (name: string, count: number) => {
      const entities = Array.from({ length: count }, (_, i) => ({
        ...{ name: `${name} ${i}`, type: 'vessel', metadata: { number: i } },
        observations: [`${name} ${i} floats`],
      }))
      await rest.createBatch({ body: { entities, relations: [] } })
      const { entities: newest } = await rest.listEntities({ query: { limit: String(count) } })
      return newest.map(({ id }) => id)
    }
    const undoOfRetyping = async (ids: string[]) => {
      const { setId } = await rest.retypeEntities({ body: { ids, type: 'yacht' } })
      return statementsOf(() => rest.undoChangeSet({ params: { setId: setId! } }))
    }
    const forOne = await undoOfRetyping(await createMany('Boat', 1))
    const many = await createMany('Ship', 100)
    const forMany = await undoOfRetyping(many)
    // The words of each are two statements of their own on SQLite.
    expect(forMany.length - forOne.length).toBeLessThan(dialect === 'sqlite' ? 220 : 20)
    const { entity } = await rest.getEntity({ params: { id: many[0]! } })
    expect(entity).toMatchObject({ name: 'Ship 99', type: 'vessel', metadata: { number: 99 } })
    expect((await rest.listEntities({ query: { query: 'vessel' } })).total).toBe(101)
    expect((await rest.listEntities({ query: { query: 'yacht' } })).total).toBe(0)
    await expectSound()
  })

  test('moves observations back to each of the entities that were merged, at once', async () => {
    const { rest } = await server().signUp()
    const observations = (name: string) => Array.from({ length: 60 }, (_, i) => `${name} says ${i}`)
    const create = async (name: string) =>
      (await rest.createEntity({ body: { name, type: 'person', observations: observations(name) } })).entity
        .id
    const [into, ...ids] = [await create('Ada'), await create('Bob'), await create('Cy')]
    const { setId } = await rest.mergeEntities({ body: { ids, into } })
    const statements = await statementsOf(() => rest.undoChangeSet({ params: { setId: setId! } }))
    expect(statements.filter((text) => text.startsWith('update "observations"'))).toHaveLength(2)
    for (const [i, name] of ['Bob', 'Cy'].entries()) {
      const { entity } = await rest.getEntity({ params: { id: ids[i]! } })
      expect(entity.observations.map(({ content }) => content)).toEqual(observations(name))
    }
    await expectSound()
  })

  const returns: [title: string, bring: (rest: RestClient, id: string, setId: string) => Promise<unknown>][] =
    [
      ['an undo', (rest, _, setId) => rest.undoChangeSet({ params: { setId } })],
      ['a restore', (rest, id) => rest.restoreEntity({ params: { id } })],
    ]
  test.for(returns)('%s of long texts lets others write while it analyses them', async ([, bring]) => {
    const { rest } = await server().signUp()
    const topics = [
      'alpha',
      'beta',
      'gamma',
      'delta',
      'epsilon',
      'zeta',
      'eta',
      'theta',
      'iota',
      'kappa',
      'lambda',
    ]
    const body = { name: 'Ada', type: 'person', observations: topics.map(long) }
    const { entity } = await rest.createEntity({ body })
    const { setId } = await rest.deleteEntities({ body: { ids: [entity.id] } })
    let isOver = false
    const bringing = bring(rest, entity.id, setId!).finally(() => {
      isOver = true
    })
    let written = 0
    while (!isOver) {
      await rest.createEntity({ body: { name: `Meanwhile ${written}`, type: 'note' } })
      if (!isOver) written++
    }
    await bringing
    expect(written).toBeGreaterThan(0)
    const { results } = await rest.search({ query: { query: 'kappa' } })
    expect(results.map((found) => found.entity.name)).toEqual(['Ada'])
    await rest.deleteEntity({ params: { id: entity.id } })
    expect((await rest.search({ query: { query: 'kappa' } })).results).toEqual([])
    await expectSound()
  })
})
