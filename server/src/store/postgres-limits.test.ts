import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopeOf } from '../../test/accounts.ts'
import { type Person, startTestServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let alice: Person

beforeAll(async () => {
  const limits = { databasePool: 3, statementTimeoutMs: 2_000, lockTimeoutMs: 200 }
  server = await startTestServer('postgres', limits)
  alice = await server.signUp()
})
afterAll(() => server.close())

test('on postgres a write that waits too long for a lock is given up, and the next one goes on', async () => {
  const other = new pg.Client({ connectionString: server.config.databaseUrl })
  await other.connect()
  await other.query('begin')
  const { accountId } = await scopeOf(server, alice)
  await other.query('select * from accounts where account_id = $1 for update', [accountId])
  const body = { name: 'Ada', type: 'person' }
  const { status, body: refused } = await server.call('POST', '/api/entities', { token: alice.token, body })
  expect([status, refused.error.code]).toEqual([503, 'database_unavailable'])
  expect(refused.error.message).toBe('The database took too long to answer. Try again in a moment.')
  await other.query('rollback')
  await other.end()
  expect((await server.call('POST', '/api/entities', { token: alice.token, body })).status).toBe(201)
})

test('on postgres a statement ends after its time', async () => {
  const endless = sql`select pg_sleep(60)`.execute(server.ctx.db)
  await expect(endless).rejects.toMatchObject({ code: '57014' })
})

test('on postgres there are no more connections than allowed', async () => {
  await Promise.all(
    Array.from({ length: 20 }, () => server.call('GET', '/api/entities', { token: alice.token })),
  )
  const { open, waiting } = server.ctx.dialect.load().pool!
  expect(open).toBeGreaterThan(0)
  expect(open).toBeLessThanOrEqual(3)
  expect(waiting).toBe(0)
})
