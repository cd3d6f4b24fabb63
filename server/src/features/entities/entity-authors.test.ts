import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('who wrote what', (server) => {
  test('is told of an entity and its observations, first writers first, when asked', async () => {
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
})
