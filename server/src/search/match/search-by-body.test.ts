import { expect, test } from 'vitest'
import { restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'

describeOnBothDatabases('searches in a body', (server) => {
  async function remember() {
    const person = await server().signUp()
    const create = (name: string, type: string, observations: string[]) =>
      person.rest.createEntity({ body: { name, type, observations } })
    await create('Ada', 'person', ['Counts engines in London', 'Drinks tea'])
    await create('Babbage', 'engineer', ['Builds engines'])
    return person
  }

  test('return what searches in an address return, and count as queries', async () => {
    const { apiKey, rest } = await remember()
    const agent = restWith(server(), apiKey)
    const headers = { 'idempotency-key': 'a question' }
    const asked = {
      query: 'who counts engines',
      types: 'person,engineer',
      limit: '1',
      explain: 'true' as const,
    }
    const bodies = [asked, { ...asked, types: ['person', 'engineer'], limit: 1, explain: true }]
    const { monthlyUsage: before } = await rest.analytics()
    for (const body of bodies) {
      expect(await agent.searchByBody({ body, headers })).toEqual(await agent.search({ query: asked }))
      const context = { ...asked, context: '2', after: '2020-01-01' }
      expect(
        await agent.searchObservationsByBody({ body: { ...body, context: 2, after: '2020-01-01' } }),
      ).toEqual(await agent.searchObservations({ query: context }))
    }
    const { entity } = (await agent.searchByBody({ body: asked })).results[0]!
    expect(entity.name).toBe('Ada')
    const { monthlyUsage: after } = await rest.analytics()
    expect(after).toEqual({ ...before, queries: after.queries, total: after.total })
    expect(after.queries).toBeGreaterThan(before.queries + 8)
    const kept = await server().ctx.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(kept).toEqual([])
  })

  test('accept ten thousand characters of any script', async () => {
    const { rest } = await remember()
    const query = `engines ${'漢'.repeat(9_992)}`
    expect((await rest.searchObservationsByBody({ body: { query } })).observations[0]?.content).toMatch(
      /engines/,
    )
    expect((await rest.searchByBody({ body: { query } })).results.length).toBeGreaterThan(0)
  })

  test('say what is wrong with a field', async () => {
    const { token } = await server().signUp()
    const wrong = [
      { limit: 0 },
      { limit: 1.5 },
      { types: [7] },
      { expand: 'maybe' },
      { query: 'x'.repeat(10_001) },
    ]
    for (const body of [...wrong, { context: 11 }, { query: 'a\u0000' }]) {
      const { status, body: answer } = await server().call('POST', '/api/search/observations', {
        token,
        body,
      })
      expect([body, status, answer.error?.code]).toEqual([body, 400, 'validation_failed'])
    }
    const body = { limit: 'many', expand: 7, types: {} }
    const { body: answer } = await server().call('POST', '/api/search', { token, body })
    expect(answer.error.details).toEqual([
      { path: 'types', message: 'Must be a list of at most 500 texts of 1 to 64 characters' },
      { path: 'limit', message: 'Must be a whole number from 1 to 500' },
      { path: 'expand', message: 'Must be true or false' },
    ])
  })

  test('are suggested if a search is too long for an address', async () => {
    const { token } = await server().signUp()
    for (const path of ['search', 'entities', 'relations']) {
      const address = `/api/${path}?query=${encodeURIComponent('漢'.repeat(5_000))}`
      const { status, body } = await server().call('GET', address, { token })
      expect([status, body.error.code]).toEqual([431, 'headers_too_large'])
      expect(body.error.message).toContain('as the body of POST /api/search')
    }
  })
})
