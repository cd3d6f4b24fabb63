import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { postMcp } from '../../../test/mcp-raw.ts'
import { connect } from '../../../test/oauth.ts'

describeOnBothDatabases('MCP for ChatGPT', (server) => {
  test('offers search and fetch beside the other tools to a connected app, in the form it expects', async () => {
    const person = await server().signUp()
    const { entity } = await person.rest.createEntity({
      body: { name: 'Ada Lovelace', type: 'person', observations: ['Wrote the first program'] },
    })
    const { entity: engine } = await person.rest.createEntity({ body: { name: 'Engine', type: 'machine' } })
    await person.rest.createRelation({
      body: { fromEntityId: entity.id, toEntityId: engine.id, type: 'programmed' },
    })
    const { tokens } = await connect(server(), person, ['memory:read'])
    const ask = async (method: string, params: object, path = '/mcp?profile=chatgpt') =>
      (await postMcp(server().url + path, tokens.access_token, 'older', { method, params })).message.result
    const names = async (path?: string) =>
      (await ask('tools/list', {}, path)).tools.map(({ name }: { name: string }) => name)
    expect((await names()).slice(0, 2)).toEqual(['search', 'fetch'])
    expect(await names('/mcp')).not.toContain('fetch')

    const found = await ask('tools/call', { name: 'search', arguments: { query: 'first program' } })
    const { results } = JSON.parse(found.content[0].text)
    expect(results[0]).toEqual({
      id: entity.id,
      title: 'Ada Lovelace',
      url: expect.stringContaining(entity.id),
    })
    expect(found.structuredContent).toEqual({ results })
    const opened = await ask('tools/call', { name: 'fetch', arguments: { id: entity.id } })
    expect(JSON.parse(opened.content[0].text)).toMatchObject({
      id: entity.id,
      title: 'Ada Lovelace',
      text: expect.stringMatching(
        /^- \d{4}-\d\d-\d\d: Wrote the first program\n\n- Ada Lovelace -> programmed -> Engine$/,
      ),
      url: results[0].url,
      metadata: { type: 'person' },
    })
    const absent = await ask('tools/call', { name: 'fetch', arguments: { id: 'ent_zzzz' } })
    expect(absent.isError).toBe(true)
  })
})
