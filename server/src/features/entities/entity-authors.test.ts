import { spaceHeader } from '@loci/contract/spaces'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { importLines } from '../../../test/import-lines.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('who wrote what', (server) => {
  test('is listed for an entity and its observations on request, first writers first', async () => {
    const { rest, apiKey, userId } = await server().signUp()
    const { entity } = await rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Plays chess'] },
    })
    const agent = await connectOverHttp(server(), apiKey, 'auto')
    const observations = [{ entityName: 'Ada', contents: ['Lives in Porto'] }]
    await agent.callTool({ name: 'add_observations', arguments: { observations } })
    await agent.close()
    const params = { id: entity.id }
    const include = { include: 'by' }
    const before = (await rest.getEntity({ params, query: include })).entity
    const [chess, porto] = before.observations
    const ada = { kind: 'session', id: userId }
    expect(before.by).toMatchObject(ada)
    expect(chess?.by).toMatchObject(ada)
    expect(porto?.by).toMatchObject({ kind: 'personal_key', client: 'test-agent' })

    await rest.updateObservation({
      params: { ...params, observationId: porto!.id },
      body: { content: 'Lives in Lisbon' },
    })
    const { setId } = await rest
      .createEntity({ body: { name: 'Ada L.', type: 'person' } })
      .then((made) => rest.mergeEntity({ params, body: { into: made.entity.id } }))
    await rest.undoChangeSet({ params: { setId } })
    const after = (await rest.getEntity({ params, query: include })).entity
    expect(after.observations.map(({ content, by }) => [content, by?.client])).toEqual([
      ['Plays chess', undefined],
      ['Lives in Lisbon', 'test-agent'],
    ])
    expect(after.by).toEqual(before.by)

    const [newest] = (await rest.listChanges({ query: { limit: '1' } })).changes
    await rest.deleteEntity({ params })
    const asOf = String(newest!.seq)
    const then = (await rest.getEntity({ params, query: { ...include, asOf } })).entity
    expect(then.observations[1]?.by).toEqual(porto?.by)
    await rest.restoreEntity({ params })
    const preferring = await rest.getEntity({ params, headers: { prefer: 'include=by' } })
    expect(preferring.entity.observations[1]?.by).toEqual(porto?.by)
    const plain = (await rest.getEntity({ params })).entity
    expect(plain.by).toBeUndefined()
    expect(plain.observations.every(({ by }) => by === undefined)).toBe(true)

    const query = { query: 'Lisbon', ...include }
    const hits = await rest.searchObservations({ query })
    expect(hits.observations[0]?.by?.client).toBe('test-agent')
    expect((await rest.search({ query })).results[0]?.matches[0]?.by?.client).toBe('test-agent')
    const bare = await rest.searchObservations({ query: { query: 'Lisbon' } })
    expect(bare.observations[0]?.by).toBeUndefined()
  })

  test('stays the original writer after moves between spaces, by any route', async () => {
    const owner = await server().signUp()
    const { rest, apiKey } = owner
    const agent = await connectOverHttp(server(), apiKey, 'auto')
    await agent.callTool({
      name: 'create_entities',
      arguments: { entities: [{ name: 'Bo', entityType: 'person', observations: ['Sings'] }] },
    })
    await agent.close()
    const [bo] = (await rest.listEntities()).entities
    for (const name of ['second', 'third']) await rest.createSpace({ body: { name } })
    const inSpace = (space: string) => ({ headers: { [spaceHeader]: space } })
    const move = async (from: string, to: string) => {
      server().clock.now += 1_000
      await rest.moveEntities({ body: { ids: [bo!.id], space: to }, ...inSpace(from) })
    }
    await move('default', 'second')
    const params = { id: bo!.id }
    await rest.createObservations({ params, body: { observations: ['Dances'] }, ...inSpace('second') })
    await move('second', 'third')
    const written = [
      ['Sings', 'test-agent'],
      ['Dances', undefined],
    ]
    const read = async (space: string) => {
      const { entity } = await rest.getEntity({ params, query: { include: 'by' }, ...inSpace(space) })
      const clients = entity.observations.map(({ content, by }) => [content, by?.client])
      return { entity: entity.by?.client, clients }
    }
    expect(await read('third')).toEqual({ entity: 'test-agent', clients: written })
    const query = { include: 'by,observations' }
    const [listed] = (await rest.listEntities({ query, ...inSpace('third') })).entities
    expect(listed?.by?.client).toBe('test-agent')
    expect(listed?.observations?.map(({ content, by }) => [content, by?.client])).toEqual(written)
    const hits = await rest.searchObservations({
      query: { query: 'sings', include: 'by' },
      ...inSpace('third'),
    })
    expect(hits.observations[0]?.by?.client).toBe('test-agent')
    await move('third', 'default')
    expect(await read('default')).toEqual({ entity: 'test-agent', clients: written })
  })

  test('is whoever imported it, even if the file gives an older date', async () => {
    const owner = await server().signUp()
    const { rest } = owner
    await rest.createSpace({ body: { name: 'other' } })
    const createdAt = '2020-01-01T00:00:00.000Z'
    const observations = [{ content: 'Is old', createdAt }]
    const line = { type: 'entity', name: 'Old', entityType: 'thing', observations, createdAt }
    await importLines(server(), owner, JSON.stringify(line))
    const [old] = (await rest.listEntities({ query: { include: 'by,observations' } })).entities
    const by = { id: owner.userId, kind: 'personal_key' }
    expect(old).toMatchObject({ createdAt, by, observations: [{ by }] })
  })
})
