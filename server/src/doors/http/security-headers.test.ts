import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { postMcp } from '../../../test/mcp-raw.ts'

describeOnBothDatabases('caches may store', (server) => {
  test('no response with tokens, keys or data, and no refusal', async () => {
    const { token, apiKey, email, password, rest } = await server().signUp()
    const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    const calls = [
      ['POST', '/auth/login', { body: { email, password } }, 200],
      ['POST', '/auth/login', { body: { email, password: 'wrong one' } }, 401],
      ['GET', '/auth/me', { token }, 200],
      ['GET', '/auth/me', {}, 401],
      ['POST', '/api/keys', { token, body: { name: 'agent' } }, 201],
      ['GET', '/api/entities', { token: apiKey }, 200],
      ['GET', `/api/entities/${entity.id}`, { token: apiKey }, 200],
      ['GET', '/api/entities/ent_none', { token: apiKey }, 404],
      ['DELETE', `/api/entities/${entity.id}`, { token: apiKey }, 204],
      ['GET', '/api/nothing', {}, 404],
    ] as const
    for (const [method, path, options, status] of calls) {
      const answer = await server().call(method, path, options)
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, status, 'no-store'])
    }
    expect((await rest.export()).headers.get('cache-control')).toBe('no-store')
  })

  test('no response of MCP, however it is produced', async () => {
    const { apiKey } = await server().signUp()
    const list = { method: 'tools/list', params: {} }
    const call = { method: 'tools/call', params: { name: 'read_graph', arguments: {} } }
    const answers = [
      await postMcp(`${server().url}/mcp`, apiKey, 'older', list),
      await postMcp(`${server().url}/mcp`, apiKey, 'older', list, { accept: 'application/json' }),
      await postMcp(`${server().url}/mcp`, apiKey, 'current', list),
      await postMcp(`${server().url}/mcp`, apiKey, 'current', call),
      await postMcp(`${server().url}/mcp`, 'nobody', 'current', call),
    ]
    for (const { status, headers } of answers) {
      expect([status, headers['cache-control']]).toEqual([status, expect.stringMatching(/^no-store/)])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 401])
  })

  test('public responses, after revalidation', async () => {
    for (const path of ['/api/openapi.json', '/api/docs', '/api/docs/start.js']) {
      const answer = await fetch(server().url + path)
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-cache'])
    }
  })
})
