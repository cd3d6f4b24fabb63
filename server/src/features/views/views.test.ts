import { regionNamesMax, viewsMax } from '@loci/contract/views'
import { expect, test } from 'vitest'
import { addMember } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { toIso } from '../../ground/lib/time.ts'

describeOnBothDatabases('saved views', (server) => {
  test('are saved, listed, changed and deleted', async () => {
    const { rest } = await server().signUp('Ada')
    const at = toIso(server().clock.now)
    const camera = { x: 10, y: -20.5, k: 1.5 }
    const pins = { ent_1: [1, 2] as [number, number] }
    const { view } = await rest.createView({
      body: { name: ' Payments ', search: 'limit=500', camera, pins },
    })
    const saved = { id: view.id, name: 'Payments', search: 'limit=500', camera, pins }
    const moments = { createdBy: { name: 'Ada Example' }, createdAt: at, updatedAt: at }
    expect(view).toEqual({ ...saved, ...moments })
    expect(await rest.listViews()).toEqual({ views: [view] })
    server().clock.now += 1_000
    const params = { id: view.id }
    const changed = await rest.updateView({ params, body: { name: 'Payouts', search: 'view=plan' } })
    expect(changed.view).toEqual({
      ...view,
      name: 'Payouts',
      search: 'view=plan',
      updatedAt: toIso(server().clock.now),
    })
    expect((await rest.listViews()).views).toEqual([changed.view])
    await rest.deleteView({ params })
    expect(await rest.listViews()).toEqual({ views: [] })
    const isMissing = { code: 'view_not_found', status: 404 }
    await expect(rest.deleteView({ params })).rejects.toMatchObject(isMissing)
    await expect(rest.updateView({ params, body: { name: 'x' } })).rejects.toMatchObject(isMissing)
  })

  test('belong to the account: members share them, nobody else sees them', async () => {
    const owner = await server().signUp('ada')
    const member = await addMember(server(), owner)
    const { view } = await owner.rest.createView({ body: { name: 'Ours', search: '' } })
    expect((await member.listViews()).views).toEqual([view])
    const bob = await server().signUp('Bob')
    expect((await bob.rest.listViews()).views).toEqual([])
    await expect(bob.rest.deleteView({ params: { id: view.id } })).rejects.toMatchObject({ status: 404 })
  })

  test('have unique names, a limit of a hundred, and a bounded size', async () => {
    const { rest } = await server().signUp()
    await rest.createView({ body: { name: 'View 1', search: '' } })
    await expect(rest.createView({ body: { name: 'View 1', search: '' } })).rejects.toMatchObject({
      code: 'view_name_taken',
      status: 409,
    })
    const { view } = await rest.createView({ body: { name: 'View 2', search: '' } })
    await expect(
      rest.updateView({ params: { id: view.id }, body: { name: 'View 1' } }),
    ).rejects.toMatchObject({ code: 'view_name_taken' })
    const pins = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`ent_${i}`, [0, 0] as const]))
    for (const body of [
      { name: ' ', search: '' },
      { name: 'Long', search: 'x'.repeat(8_193) },
      { name: 'Pins', search: '', pins: pins as never },
      { name: 'Far', search: '', camera: { x: 1e9, y: 0, k: 1 } },
    ]) {
      await expect(rest.createView({ body })).rejects.toMatchObject({ code: 'validation_failed' })
    }
    await expect(rest.updateView({ params: { id: view.id }, body: {} })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    const { db } = server().ctx
    const row = await db.selectFrom('views').selectAll().where('id', '=', view.id).executeTakeFirstOrThrow()
    const more = Array.from({ length: viewsMax - 2 }, (_, i) => ({
      ...row,
      id: `view_${i}`,
      name: `More ${i}`,
    }))
    await db.insertInto('views').values(more).execute()
    await expect(rest.createView({ body: { name: 'One more', search: '' } })).rejects.toMatchObject({
      code: 'view_limit_reached',
      status: 409,
    })
  })
})

describeOnBothDatabases('names of regions', (server) => {
  test('are given, replaced and removed', async () => {
    const { rest } = await server().signUp()
    const { entity } = await rest.createEntity({ body: { name: 'Team Platform', type: 'team' } })
    const params = { entityId: entity.id }
    const named = await rest.nameRegion({ params, body: { name: ' Platform ' } })
    expect(named).toEqual({ entityId: entity.id, name: 'Platform' })
    await rest.nameRegion({ params, body: { name: 'The platform' } })
    expect(await rest.listRegionNames()).toEqual({ names: { [entity.id]: 'The platform' } })
    await rest.unnameRegion({ params })
    expect(await rest.listRegionNames()).toEqual({ names: {} })
    await expect(rest.unnameRegion({ params })).rejects.toMatchObject({
      code: 'region_not_found',
      status: 404,
    })
  })

  test('are bounded', async () => {
    const alice = await server().signUp()
    const { entity } = await alice.rest.createEntity({ body: { name: 'Ada', type: 't' } })
    const { entity: second } = await alice.rest.createEntity({ body: { name: 'Eve', type: 't' } })
    await alice.rest.nameRegion({ params: { entityId: entity.id }, body: { name: 'x' } })
    const { account_id, space_id } = await server()
      .ctx.db.selectFrom('region_names')
      .select(['account_id', 'space_id'])
      .executeTakeFirstOrThrow()
    await server()
      .ctx.db.insertInto('region_names')
      .values(
        Array.from({ length: regionNamesMax - 1 }, (_, i) => ({
          account_id,
          space_id,
          entity_id: 1e6 + i,
          name: 'x',
          named_at: 0,
        })),
      )
      .execute()
    await expect(
      alice.rest.nameRegion({ params: { entityId: second.id }, body: { name: 'y' } }),
    ).rejects.toMatchObject({ code: 'view_limit_reached' })
    // A region that has a name can always be renamed.
    await alice.rest.nameRegion({ params: { entityId: entity.id }, body: { name: 'y' } })
  })
})
