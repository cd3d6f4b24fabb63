import { StatementSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { setPlan } from '../../../test/accounts.ts'
import { ask } from '../../../test/agent.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { statementsOf } from '../../../test/statements-of.ts'

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
const hubDegree = 600

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
    await alice.rest.createEntity({
      body: { name: 'Draft', type: 'project', observations: ['A fact of the draft'] },
    })
    const calls = {
      add_observations: call('add_observations', { observations: add }),
      explore_entity: call('explore_entity', { name: 'Project' }),
      delete_observations: call('delete_observations', { deletions: remove }),
      update_entity: call('update_entity', { name: 'Project', entityType: 'plan' }),
      merge_entities: call('merge_entities', { names: ['Draft'], into: 'Project' }),
      createObservations: () => alice.rest.createObservations({ params, body: { content: 'One more' } }),
      deleteObservation: () =>
        alice.rest.deleteObservation({ params: { ...params, observationId: first!.id } }),
    }
    await expectFewRows(calls)
    await client.close()
  })

  test('grows little with the entities whose facts it deletes', async () => {
    const alice = await server().signUp()
    const [few, many, tries] = [2, 20, 3]
    const names = Array.from({ length: (few + many) * tries }, (_, i) => `Ship ${i}`)
    const observations = ['Sails under the flag of Malta']
    await alice.rest.createBatch({
      body: { entities: names.map((name) => ({ name, type: 'ship', observations })) },
    })
    const client = await connectOverHttp(server(), alice.apiKey, 'auto')
    /** The smallest figure counts, since jobs of the server join some calls. */
    const statements = async (count: number) => {
      const counted: number[] = []
      while (counted.length < tries) {
        const deletions = names.splice(0, count).map((entityName) => ({ entityName, observations }))
        const found = await statementsOf(() => ask(client, 'delete_observations', { deletions }))
        counted.push(found.length)
      }
      return Math.min(...counted)
    }
    // One finds the fact; on SQLite another takes its passage out of the index, and a long write looks at the log.
    expect(await statements(many)).toBeLessThanOrEqual((await statements(few)) + 2 * (many - few) + 1)
    await client.close()
  })

  test('does not grow with the relations of an entity', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'pro')
    const { entity: club } = await alice.rest.createEntity({ body: { name: 'Club', type: 'club' } })
    const names = Array.from({ length: hubDegree }, (_, i) => `Member ${i}`)
    await alice.rest.createBatch({
      body: {
        entities: names.map((name) => ({ name, type: 'person' })),
        relations: names.map((to) => ({ from: 'Club', to, type: 'has' })),
      },
    })
    await alice.rest.createBatch({
      body: { relations: names.slice(1, 20).map((to) => ({ from: 'Member 0', to, type: 'knows' })) },
    })
    const client = await connectOverHttp(server(), alice.apiKey, 'auto')
    const explored: unknown[] = []
    await expectFewRows({
      explore_entity: async () => {
        explored.push((await ask(client, 'explore_entity', { name: 'Club', depth: 1, limit: 10 })).structured)
      },
      find_path: () => ask(client, 'find_path', { from: 'Club', to: 'Member 7' }),
      listRelations: async () => {
        const { total } = await alice.rest.listRelations({ query: { entityId: club.id, limit: '5' } })
        expect(total).toBe(hubDegree)
      },
    })
    await client.close()
    const [{ entities, relations }] = explored as [
      { entities: { name: string }[]; relations: { from: string; to: string }[] },
    ]
    const shown = entities.map(({ name }) => name)
    const others = shown.filter((name) => name !== 'Member 0')
    expect(others).toHaveLength(8)
    const wanted = [...shown.map((to) => `Club ${to}`), ...others.map((to) => `Member 0 ${to}`)]
    expect(relations.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(wanted.sort())
  })
})

/** Runs each call and expects that it reads some rows, but few. */
async function expectFewRows(calls: Record<string, () => Promise<unknown>>): Promise<void> {
  for (const [name, work] of Object.entries(calls)) {
    const rows = await rowsRead(work)
    expect(rows, name).toBeGreaterThan(0)
    expect(rows, name).toBeLessThan(rowsMax)
  }
}
