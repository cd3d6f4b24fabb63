import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/harness.ts'
import { transact } from '../../store/transact.ts'
import { createLease } from './lease.ts'

const leaseMs = 4_000
let server: TestServer
beforeAll(async () => {
  server = await startTestServer('sqlite')
})
afterAll(() => server?.close())

/** A lease, and when it expires. */
function aLease() {
  const name = `lease-${randomUUID()}`
  const mine = createLease(server.ctx, name, leaseMs)
  const expiresAt = async () =>
    (
      await server.ctx.db
        .selectFrom('leases')
        .select('expires_at')
        .where('name', '=', name)
        .executeTakeFirst()
    )?.expires_at
  return { mine, expiresAt }
}

test('is renewed when a quarter of its time is over, and not written before', async () => {
  const { mine, expiresAt } = aLease()
  const start = server.clock.now
  expect(await mine.hold()).toBe(true)
  server.clock.now = start + leaseMs / 4 - 1
  expect(await mine.hold()).toBe(true)
  expect(await expiresAt()).toBe(start + leaseMs)
  server.clock.now = start + leaseMs / 4
  expect(await mine.hold()).toBe(true)
  expect(await expiresAt()).toBe(start + leaseMs / 4 + leaseMs)
})

test('is written again when the clock was set back', async () => {
  const { mine, expiresAt } = aLease()
  await mine.hold()
  server.clock.now -= 60_000
  expect(await mine.hold()).toBe(true)
  expect(await expiresAt()).toBe(server.clock.now + leaseMs)
})

test('is always renewed in a transaction, but only if that commits', async () => {
  const { mine, expiresAt } = aLease()
  const start = server.clock.now
  await mine.hold()
  server.clock.now += 10
  await transact(server.ctx, async ({ db }) => expect(await mine.hold(db)).toBe(true))
  expect(await expiresAt()).toBe(start + 10 + leaseMs)
  server.clock.now += 10
  const undone = transact(server.ctx, async ({ db }) => {
    await mine.hold(db)
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  expect(await expiresAt()).toBe(start + 10 + leaseMs)
})
