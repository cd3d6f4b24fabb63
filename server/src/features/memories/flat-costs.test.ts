import { StatementSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { setPlan } from '../../../test/accounts.ts'
import { ask } from '../../../test/agent.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

// All rows are read through these two.
const sqlite = vi.spyOn(StatementSync.prototype, 'all')
const postgres = vi.spyOn(pg.Client.prototype, 'query')
afterAll(() => vi.restoreAllMocks())

/** Number of rows read while `work` ran. */
async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  sqlite.mockClear()
  postgres.mockClear()
  await work()
  const ofSqlite = sqlite.mock.results.map(({ value }) => (value as unknown[]).length)
  const ofPostgres = await Promise.all(
    postgres.mock.results.map(
      async ({ value }) => ((await value) as { rows?: unknown[] })?.rows?.length ?? 0,
    ),
  )
  return [...ofSqlite, ...ofPostgres].reduce((sum, rows) => sum + rows, 0)
}

/** More than any of these calls needs, and far fewer than the large entity has. */
const rowsMax = 250
const largeCount = 2_000

describeOnBothDatabases('the cost of a call', (server) => {
  test('does not grow with the observations of an entity', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'pro')
    const texts = Array.from({ length: largeCount }, (_, i) => `Fact ${i} of the project`)
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Project', type: 'project', observations: texts.slice(0, 1_000) },
    })
    const params = { id: entity.id }
    await alice.rest.createObservations({ params, body: { observations: texts.slice(1_000) } })
    const client = await connectOverHttp(server(), alice.apiKey, 'auto')
    const call = (name: string, args: object) => async () => {
      const { isError, text } = await ask(client, name, args)
      expect(isError, text).toBe(false)
    }
    const add = [{ entityName: 'Project', contents: ['A new fact', 'Fact 7 of the project'] }]
    const remove = [{ entityName: 'Project', observations: ['Fact 8 of the project'] }]
    const [first] = entity.observations
    const calls = {
      add_observations: call('add_observations', { observations: add }),
      explore_entity: call('explore_entity', { name: 'Project' }),
      delete_observations: call('delete_observations', { deletions: remove }),
      update_entity: call('update_entity', { name: 'Project', entityType: 'plan' }),
      createObservations: () => alice.rest.createObservations({ params, body: { content: 'One more' } }),
      deleteObservation: () =>
        alice.rest.deleteObservation({ params: { ...params, observationId: first!.id } }),
    }
    const read: Record<string, number> = {}
    for (const [name, work] of Object.entries(calls)) read[name] = await rowsRead(work)
    await client.close()
    for (const [name, rows] of Object.entries(read)) {
      expect(rows, name).toBeGreaterThan(0)
      expect(rows, name).toBeLessThan(rowsMax)
    }
  })
})
