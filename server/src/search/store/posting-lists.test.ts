import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { createRandom } from '../../../test/random.ts'
import { pickHeaviest, readLists, readOn } from './posting-lists.ts'
import { findIndexedSpace } from './search-index.repo.ts'

describeOnBothDatabases('lists of postings', (server) => {
  test('the length of a cut list is estimated from the density of its newest entries, and it is read to its end', async () => {
    const person = await server().signUp()
    const observations = ['opera', 'opera', 'tea', 'opera', 'opera'].map((word, i) => `${word} ${i}`)
    await person.rest.createEntity({ body: { name: 'Diary', type: 'note', observations } })
    const { ctx } = server()
    const space = (await findIndexedSpace(ctx.db, await scopeOf(server(), person)))!
    const lists = await readLists(ctx, space, ['opera', 'tea', 'nothing'], 2)
    const cut = lists.get('opera')!
    expect([...lists.keys()].sort()).toEqual(['opera', 'tea'])
    expect(lists.get('tea')).toMatchObject({ count: 1, isCut: false })
    expect(cut).toMatchObject({
      isCut: true,
      // The newest two of five consecutive observations, after the entity's name and before seven
      // words.
      count: Math.round((2 / 6) * space.nextOrdinal),
    })
    await readOn(ctx, space, lists, ['opera', 'tea'], 1)
    expect(lists.get('opera')!.ids).toHaveLength(3)
    await readOn(ctx, space, lists, ['opera', 'tea'], 10)
    const all = lists.get('opera')!
    expect(all).toMatchObject({ count: 4, isCut: false })
    expect([...all.ids]).toEqual([...all.ids].sort((a, b) => b - a))
  })
})

test('the passages in which terms weigh most come first, the newest of equals', () => {
  const lists = [
    { ids: Uint32Array.of(9, 7, 3), weight: 1 },
    { ids: Uint32Array.of(8, 7), weight: 1.5 },
    { ids: Uint32Array.of(3), weight: 0.25 },
  ]
  expect(pickHeaviest(lists, 10)).toEqual([7, 8, 3, 9])
  expect(pickHeaviest(lists, 2)).toEqual([7, 8])
  expect(pickHeaviest([], 2)).toEqual([])
})

test('the heaviest of many are the ones that full sorting gives', () => {
  const random = createRandom(5)
  const ids = Uint32Array.from({ length: 3_000 }, (_, i) => i + 1)
  const lists = Array.from({ length: 6 }, () => ({ ids: ids.filter(() => random() < 0.4), weight: random() }))
  const sumOf = (id: number) =>
    lists.reduce((sum, list) => sum + (list.ids.includes(id) ? list.weight : 0), 0)
  const sorted = [...ids].sort((a, b) => sumOf(b) - sumOf(a) || b - a)
  for (const limit of [1, 2, 7, 200, 2_999]) {
    expect(pickHeaviest(lists, limit)).toEqual(sorted.filter((id) => sumOf(id) > 0).slice(0, limit))
  }
})
