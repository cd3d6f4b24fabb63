import { beforeEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

describeOnBothDatabases('a change that later changes build on', (server) => {
  let alice: Person
  beforeEach(async () => {
    alice = await server().signUp()
  })

  const create = async (name: string, observations: string[] = []) =>
    (await alice.rest.createEntity({ body: { name, type: 'thing', observations } })).entity
  const remove = (id: string) => alice.rest.deleteEntity({ params: { id } })
  const newestSet = async () => (await alice.rest.listChanges({ query: { limit: '1' } })).changes[0]!.setId
  const undo = (setId: string) =>
    server().call('POST', `/api/changes/sets/${setId}/undo`, { token: alice.token })

  /** Expects the undo of a set to be refused for this reason, and nothing to change. */
  async function expectRefused(setId: string, message: string, subject: object) {
    const newest = await newestSet()
    const { status, body } = await undo(setId)
    expect(status).toBe(409)
    expect(body.error).toMatchObject({ code: 'undo_conflict', details: [{ subject, message }] })
    expect(body.error.message).toContain(`This cannot be undone: ${message}`)
    expect(body.error.message, 'people read it').not.toMatch(/(ent|obs|rel)_/)
    expect(await newestSet()).toBe(newest)
  }

  test('is not undone if an entity would lose later observations', async () => {
    const ada = await create('Ada')
    const created = await newestSet()
    await alice.rest.createObservations({ params: { id: ada.id }, body: { observations: ['Plays chess'] } })
    await expectRefused(created, 'this entity has other observations now', { id: ada.id, name: 'Ada' })
  })

  test('is not undone if an entity would lose later relations', async () => {
    const bob = await create('Bob')
    const ada = await create('Ada', ['Plays chess'])
    const created = await newestSet()
    await alice.rest.createRelation({ body: { fromEntityId: bob.id, toEntityId: ada.id, type: 'knows' } })
    await expectRefused(created, 'this entity has other relations now', { id: ada.id })
  })

  test('is undone once the later changes are gone', async () => {
    const ada = await create('Ada')
    const created = await newestSet()
    const { observations } = await alice.rest.createObservations({
      params: { id: ada.id },
      body: { observations: ['Plays chess'] },
    })
    const params = { id: ada.id, observationId: observations[0]!.id }
    await alice.rest.deleteObservation({ params })
    expect((await undo(created)).status).toBe(200)
    await expect(alice.rest.getEntity({ params: { id: ada.id } })).rejects.toMatchObject({ status: 404 })
  })

  test('is not undone if the entity of a deleted observation is gone', async () => {
    const ada = await create('Ada', ['Plays chess'])
    const [observation] = ada.observations
    await alice.rest.deleteObservation({ params: { id: ada.id, observationId: observation!.id } })
    const deleted = await newestSet()
    await remove(ada.id)
    const subject = { kind: 'observation', id: observation!.id, entityId: ada.id }
    await expectRefused(deleted, 'the entity of this observation was deleted since', subject)
  })

  test('is not undone if an end of a deleted relation is gone', async () => {
    const [ada, bob] = [await create('Ada'), await create('Bob')]
    const body = { fromEntityId: ada.id, toEntityId: bob.id, type: 'knows' }
    const { relation } = await alice.rest.createRelation({ body })
    await alice.rest.deleteRelation({ params: { id: relation.id } })
    const deleted = await newestSet()
    await remove(bob.id)
    const subject = { kind: 'relation', id: relation.id }
    await expectRefused(deleted, 'an entity of this relation was deleted since', subject)
  })

  test('is not undone if it moved an entity that is still in the other space', async () => {
    const { space } = await alice.rest.createSpace({ body: { name: 'Work' } })
    const ada = await create('Ada')
    await alice.rest.moveEntities({ body: { ids: [ada.id], space: space.id } })
    await expectRefused(await newestSet(), 'this entity was moved to another space', { id: ada.id })
  })
})
