import { withoutHidden } from '@loci/contract/hidden-characters'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('names with invisible characters', (server) => {
  const odd = [
    'Ada Lovelace ',
    ' Ada Lovelace',
    'Ada\u00a0Lovelace',
    '\u202eAda Lovelace',
    'Ada Lovelace\u202c',
    'Ada \u200bLovelace',
    '\u2066Ada Lovelace\u2069',
  ]

  test('are stored as sent, and the response names the entity that looks the same', async () => {
    const { rest, apiKey } = await server().signUp()
    const client = await connectOverHttp(server(), apiKey, 'auto')
    await rest.createEntity({ body: { name: 'Ada Lovelace', type: 'person' } })
    for (const name of odd) {
      const { entity, similar } = await rest.createEntity({ body: { name, type: 'person' } })
      expect(entity.name).toBe(name)
      expect([name, similar.map((thing) => thing.name)]).toEqual([
        name,
        expect.arrayContaining(['Ada Lovelace']),
      ])
      const opened = await client.callTool({ name: 'open_nodes', arguments: { names: [name] } })
      const { entities } = opened.structuredContent as { entities: { name: string }[] }
      expect(entities.map((found) => found.name)).toEqual([withoutHidden(name)])
      await rest.deleteEntity({ params: { id: entity.id } })
    }
    const created = await client.callTool({
      name: 'create_entities',
      arguments: { entities: [{ name: 'Ada Lovelace ', entityType: 'person', observations: [] }] },
    })
    expect(JSON.stringify(created)).toMatch(/similar/i)
    await client.close()
  })

  test.each(['\u200b', '\u00ad\u2060', '"\u200b"'])('alone find nothing: %j', async (query) => {
    const { rest } = await server().signUp()
    await rest.createEntity({ body: { name: 'Ada', type: 'person', observations: ['Likes tea'] } })
    expect((await rest.search({ query: { query } })).results).toEqual([])
    expect((await rest.searchObservations({ query: { query } })).observations).toEqual([])
    expect((await rest.listEntities({ query: { query } })).entities).toEqual([])
  })
})
