import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopeOf } from '../../test/accounts.ts'
import { isOnCitus } from '../../test/citus.ts'
import { type Person, startTestServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let alice: Person

beforeAll(async () => {
  server = await startTestServer('postgres')
  alice = await server.signUp()
})
afterAll(() => server.close())

async function create(name: string, count: number): Promise<void> {
  const entities = Array.from({ length: count }, (_, i) => ({ name: `${name} ${i}`, type: 'place' }))
  const { status } = await server.call('POST', '/api/entities/batch', {
    token: alice.token,
    body: { entities },
  })
  expect(status).toBe(200)
}

async function known(table: string): Promise<number> {
  const { rows } = await sql<{ known: number }>`select reltuples as known from pg_class
    where oid = ${table}::regclass`.execute(server.ctx.db)
  return rows[0]!.known
}

const update = () => server.ctx.dialect.updateStatistics(server.ctx.db)

// On a cluster the coordinator has no rows to measure; each node's autovacuum looks after its shards.
test.skipIf(isOnCitus)(
  'the planner learns the size of new and doubled tables, and finds an entity by its key',
  async () => {
    await sql`alter table entities set (autovacuum_enabled = false)`.execute(server.ctx.db)
    await create('First', 300)
    await update()
    expect(await known('entities')).toBe(300)
    await create('Second', 20)
    await update()
    expect(await known('entities')).toBe(300)
    await create('Third', 600)
    await update()
    expect(await known('entities')).toBe(920)
    const { accountId, spaceId } = await scopeOf(server, alice)
    const { rows } = await sql<Record<string, string>>`explain select 1 from entities
    where account_id = ${sql.lit(accountId)} and space_id = ${sql.lit(spaceId)} and id = 5 for key share`.execute(
      server.ctx.db,
    )
    expect(JSON.stringify(rows)).toContain('entities_pkey')
  },
)

test.skipIf(isOnCitus)(
  'a large undo lets the planner learn the size of the past that it looks up',
  async () => {
    await sql`alter table past_entities set (autovacuum_enabled = false)`.execute(server.ctx.db)
    const bob = await server.signUp()
    const entities = Array.from({ length: 1_000 }, (_, i) => ({ name: `Boat ${i}`, type: 'vessel' }))
    await bob.rest.createBatch({ body: { entities, relations: [] } })
    const { setIds } = await bob.rest.updateEntityType({
      params: { type: 'vessel' },
      body: { type: 'yacht' },
    })
    expect(await known('past_entities')).toBeLessThanOrEqual(0)
    await bob.rest.undoChangeSet({ params: { setId: setIds[0]! } })
    expect(await known('past_entities')).toBe(1_000)
  },
)

test.skipIf(isOnCitus)(
  'many changes let the planner learn the size of the tables that they fill, also those of several calls',
  async () => {
    await sql`alter table observations set (autovacuum_enabled = false)`.execute(server.ctx.db)
    const carol = await server.signUp()
    const entities = Array.from({ length: 300 }, (_, i) => ({
      ...{ name: `Pier ${i}`, type: 'pier', observations: [`Is ${i} m long`] },
    }))
    for (const half of [entities.slice(0, 150), entities.slice(150)])
      await carol.rest.createBatch({ body: { entities: half, relations: [] } })
    expect(await known('observations')).toBe(300)
  },
)
