import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'
import { timeOfWrite } from './counters.writes.repo.ts'

test('time stands still while the clock is behind, and follows a clock that had run ahead', () => {
  const newest = Date.UTC(2026, 0, 20)
  expect(timeOfWrite(newest + 1, newest)).toBe(newest + 1)
  expect(timeOfWrite(newest - 1, newest)).toBe(newest)
  expect(timeOfWrite(newest - 7 * dayMs, newest)).toBe(newest)
  expect(timeOfWrite(newest - 400 * dayMs, newest)).toBe(newest - 400 * dayMs)
  expect(timeOfWrite(newest, 0)).toBe(newest)
})

describeOnBothDatabases('a clock that is set back', (server) => {
  test('keeps lists and history in order, with nothing changed before it was created', async () => {
    const { rest } = await server().signUp()
    const create = async (name: string) =>
      (await rest.createEntity({ body: { name, type: 'thing', observations: ['first'] } })).entity
    const { clock } = server()
    const startedAt = clock.now
    const old = await create('Old')
    clock.now -= 2 * dayMs
    await create('New')
    await rest.createObservations({ params: { id: old.id }, body: { content: 'second' } })
    const { entity } = await rest.getEntity({ params: { id: old.id } })
    expect([entity.createdAt, entity.updatedAt]).toEqual([toIso(startedAt), toIso(startedAt)])
    expect((await rest.listEntities()).entities.map(({ name }) => name)).toEqual(['New', 'Old'])
    const { changes } = await rest.listChanges()
    const times = changes.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
    const past = await rest.listEntities({ query: { asOf: toIso(startedAt) } })
    expect(past.entities.map(({ name }) => name).sort()).toEqual(['New', 'Old'])
    clock.now = startedAt + 1_000
    expect((await create('Newest')).createdAt).toBe(toIso(startedAt + 1_000))
  })
})
