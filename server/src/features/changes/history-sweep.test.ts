import { expect, test, vi } from 'vitest'
import { openTwin } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { sweepHistory } from '../../memory/log/history-sweep.ts'
import { checkAll } from '../checks/checks.service.ts'

describeOnBothDatabases('versions older than the retention', (server) => {
  /** Changes and deletes something of each kind, and leaves some current entries. */
  async function makeHistory() {
    const { rest } = await server().signUp()
    const make = async (name: string) =>
      (await rest.createEntity({ body: { name, type: 'thing', observations: [`of ${name}`] } })).entity
    const [ada, bob, cy] = [await make('Ada'), await make('Bob'), await make('Cy')]
    const ends = { fromEntityId: ada.id, toEntityId: bob.id }
    const { relation } = await rest.createRelation({ body: { ...ends, type: 'knows' } })
    await rest.updateRelation({ params: { id: relation.id }, body: { type: 'likes' } })
    await rest.updateEntity({ params: { id: ada.id }, body: { name: 'Eve', type: 'thing' } })
    const params = { id: bob.id, observationId: bob.observations[0]!.id }
    await rest.updateObservation({ params, body: { content: 'of Robert' } })
    await rest.deleteEntity({ params: { id: cy.id } })
    return { rest, cy }
  }
  type Rest = Awaited<ReturnType<typeof makeHistory>>['rest']
  const present = async (rest: Rest) => ({
    ...(await rest.listEntities({ query: { include: 'observations' } })),
    ...(await rest.listRelations({ query: {} })),
  })

  test('are erased, newer and current ones are kept', async () => {
    const { rest, cy } = await makeHistory()
    const before = await present(rest)
    server().clock.now += 10 * dayMs
    const bob = before.entities.find(({ name }) => name === 'Bob')!
    await rest.updateEntity({ params: { id: bob.id }, body: { name: 'Bobby', type: 'thing' } })
    server().clock.now += 25 * dayMs
    await sweepHistory(server().ctx, 30)
    const { changes } = await rest.listChanges({ query: { limit: '500' } })
    const [renamed, ...older] = changes
    expect(renamed).toMatchObject({ before: { name: 'Bob' }, after: { name: 'Bobby' } })
    expect(renamed?.erased).toBeUndefined()
    expect(older.flatMap(({ before }) => before ?? [])).toEqual([])
    expect(older.find(({ operation }) => operation === 'entity_deleted')).toMatchObject({ erased: true })
    expect(older.find(({ operation }) => operation === 'entity_updated')).toMatchObject({
      after: { name: 'Eve' },
      erased: true,
    })
    const { setId } = older.find(({ operation }) => operation === 'relation_updated')!
    await expect(rest.undoChangeSet({ params: { setId } })).rejects.toMatchObject({ code: 'undo_conflict' })
    await expect(rest.restoreEntity({ params: { id: cy.id } })).rejects.toMatchObject({
      code: 'entity_not_found',
    })
    await rest.updateEntity({ params: { id: bob.id }, body: { name: 'Bob', type: 'thing' } })
    expect((await present(rest)).relations).toEqual(before.relations)
    for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
  })

  test('are kept while they are young', async () => {
    const { rest } = await makeHistory()
    const { changes } = await rest.listChanges({ query: { limit: '500' } })
    server().clock.now += 29 * dayMs
    await sweepHistory(server().ctx, 30)
    expect((await rest.listChanges({ query: { limit: '500' } })).changes).toEqual(changes)
  })

  test('are erased at start by a server whose retention was shortened', async () => {
    const { rest } = await makeHistory()
    server().clock.now += 3 * dayMs
    const twin = await openTwin({ ...server(), config: { ...server().config, historyDays: 2 } })
    await vi.waitFor(
      async () => {
        const { changes } = await rest.listChanges({ query: { limit: '500' } })
        expect(changes.flatMap(({ before }) => before ?? [])).toEqual([])
      },
      { timeout: 60_000, interval: 50 },
    )
    await twin.close()
  })
})
