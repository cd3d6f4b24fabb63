import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fieldsIn } from '../../../test/fields-in.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('a renamed entity', (server) => {
  let alice: Person
  let agent: Client
  let id: string
  beforeEach(async () => {
    alice = await server().signUp()
    agent = await connectOverHttp(server(), alice.apiKey, 'auto')
    await agent.listTools()
    const body = { name: 'Atlas', type: 'project', observations: ['Ships in May'] }
    id = (await alice.rest.createEntity({ body })).entity.id
  })
  afterEach(() => agent.close())

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  const call = async (name: string, args: Record<string, unknown>): Promise<any> =>
    fieldsIn(await agent.callTool({ name, arguments: args }))
  const rename = (name: string) =>
    alice.rest.updateEntity({ params: { id }, body: { name, type: 'project' } })
  const get = async (asOf?: string) =>
    (await alice.rest.getEntity({ params: { id }, query: asOf === undefined ? {} : { asOf } })).entity

  test('is found by its old name, which create_entities knows', async () => {
    expect((await rename('Meridian')).entity).toMatchObject({ name: 'Meridian', aliases: ['Atlas'] })
    expect((await call('open_nodes', { names: ['Atlas'] })).entities).toMatchObject([{ name: 'Meridian' }])
    await call('add_observations', { observations: [{ entityName: 'Atlas', contents: ['Moved to June'] }] })
    expect((await get()).observations.map(({ content }) => content)).toEqual([
      'Ships in May',
      'Moved to June',
    ])
    const again = await call('create_entities', {
      entities: [{ name: 'Atlas', entityType: 'project', observations: [] }],
    })
    expect(again).toMatchObject({ entities: [], skipped: ['Atlas'] })
    expect((await call('recall', { query: 'When does Atlas ship?' })).observations[0]).toMatchObject({
      entity: { name: 'Meridian' },
    })
  })

  test('is not deleted by its old name, and the refusal says what it is called', async () => {
    await rename('Meridian')
    const { structuredContent, content } = await agent.callTool({
      name: 'delete_entities',
      arguments: { entityNames: ['Atlas'] },
    })
    expect(structuredContent).toMatchObject({ success: false })
    expect(JSON.stringify(content)).toContain(String.raw`\"Atlas\" is another name of \"Meridian\".`)
    expect(await get()).toMatchObject({ name: 'Meridian' })
  })

  test('keeps its old name through update_entity and with a list of aliases too', async () => {
    await call('update_entity', { name: 'Atlas', newName: 'Meridian' })
    expect((await get()).aliases).toEqual(['Atlas'])
    const body = { name: 'Zenith', type: 'project', aliases: ['Atlas', 'The project'] }
    await alice.rest.updateEntity({ params: { id }, body })
    expect((await get()).aliases).toEqual(['Atlas', 'The project', 'Meridian'])
    await rename('Meridian')
    expect(await get()).toMatchObject({ name: 'Meridian', aliases: ['Atlas', 'The project', 'Zenith'] })
  })

  test('keeps its old name from others until the alias is removed', async () => {
    await rename('Meridian')
    const body = { name: 'Atlas', type: 'project' }
    await expect(alice.rest.createEntity({ body })).rejects.toMatchObject({ code: 'entity_name_taken' })
    await alice.rest.updateEntity({
      params: { id },
      body: { name: 'Meridian', type: 'project', aliases: [] },
    })
    const other = (await alice.rest.createEntity({ body })).entity.id
    expect((await call('open_nodes', { names: ['Atlas'] })).entities[0].observations).toEqual([])
    await expect(rename('Atlas')).rejects.toMatchObject({ code: 'entity_name_taken' })
    await alice.rest.deleteEntity({ params: { id: other } })
    expect((await rename('Atlas')).entity.aliases).toEqual(['Meridian'])
  })

  test('is told which of its names another entity has, when it cannot be restored', async () => {
    await rename('Meridian')
    await alice.rest.deleteEntity({ params: { id } })
    await alice.rest.createEntity({ body: { name: 'Atlas', type: 'project' } })
    await expect(alice.rest.restoreEntity({ params: { id } })).rejects.toMatchObject({
      code: 'entity_name_taken',
      message: 'It cannot be restored: another entity has the name "Atlas" now. Rename that one first.',
    })
  })

  test('is as before in the past, and after undo', async () => {
    const [before] = (await alice.rest.listChanges({ query: { limit: '1' } })).changes
    await rename('Meridian')
    const [change] = (await alice.rest.listChanges({ query: { limit: '1' } })).changes
    expect(change).toMatchObject({
      operation: 'entity_updated',
      before: { name: 'Atlas' },
      after: { name: 'Meridian', aliases: ['Atlas'] },
    })
    expect(change?.before).not.toHaveProperty('aliases')
    const then = await get(String(before!.seq))
    expect([then.name, then.aliases]).toEqual(['Atlas', undefined])
    await alice.rest.undoChangeSet({ params: { setId: change!.setId } })
    const now = await get()
    expect([now.name, now.aliases]).toEqual(['Atlas', undefined])
    expect((await call('open_nodes', { names: ['Meridian'] })).entities).toEqual([])
    expect(
      (
        await call('create_entities', {
          entities: [{ name: 'Meridian', entityType: 'project', observations: [] }],
        })
      ).entities,
    ).toHaveLength(1)
  })

  test('is one entity after export and import, and leaves nothing when erased', async () => {
    await rename('Meridian')
    const bob = await server().signUp('bob')
    const ask = (path: string, { token }: Person, init: RequestInit = {}) =>
      fetch(`${server().url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' },
      })
    const body = await (await ask('/api/export', alice)).text()
    expect((await ask('/api/import', bob, { method: 'POST', body })).status).toBe(200)
    const [entity] = (await bob.rest.listEntities({})).entities
    expect(entity).toMatchObject({ name: 'Meridian', aliases: ['Atlas'] })
    await alice.rest.eraseEntity({ params: { id } })
    const left = JSON.stringify(await alice.rest.listChanges({}))
    expect(left).not.toMatch(/Atlas|Meridian/)
    expect((await alice.rest.createEntity({ body: { name: 'Atlas', type: 'x' } })).entity.name).toBe('Atlas')
  })

  test('keeps at most a hundred names', async () => {
    for (let number = 0; number < 101; number++) await rename(`Project ${number}`)
    expect((await get()).aliases).toHaveLength(100)
    expect((await get()).name).toBe('Project 100')
  })
})
