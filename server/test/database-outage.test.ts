import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@loci/client/rest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from './harness.ts'
import { type OwnPostgres, startOwnPostgres, testSecret } from './postgres.ts'

/** `OUTAGES=10 npx vitest run server/test/database-outage.test.ts` produces the figures of docs/reliability.md. */
const outages = Number(process.env.OUTAGES ?? 1)

let postgres: OwnPostgres
let server: TestServer

beforeAll(async () => {
  postgres = await startOwnPostgres()
  server = await startTestServer('sqlite', { databaseUrl: postgres.url, secret: testSecret })
})
afterAll(async () => {
  await server?.close()
  await postgres?.stop()
})

type Seen = { acknowledged: string[]; refused: Set<string>; last: string }

/** Creates entities one after the other until `isOver`, and records each outcome. */
async function writeAll({ rest }: Person, writer: number, seen: Seen, isOver: () => boolean): Promise<void> {
  for (let step = 0; !isOver(); step++) {
    const name = `w${writer}s${step}`
    try {
      await rest.createEntity({ body: { name, type: 'thing', observations: ['whole'] } })
      seen.acknowledged.push(name)
      seen.last = 'created'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      seen.refused.add(`${error.status} ${error.code}`)
      seen.last = error.code
    }
    await sleep(10)
  }
}

test('while PostgreSQL restarts under load, calls are refused with 503, and then they work again', {
  timeout: 60_000 * outages,
}, async () => {
  const alice = await server.signUp()
  await server.ctx.db.updateTable('accounts').set({ plan: 'pro' }).execute()
  const seen: Seen = { acknowledged: [], refused: new Set(), last: '' }
  let isOver = false
  const writers = [1, 2, 3, 4, 5, 6].map((writer) => writeAll(alice, writer, seen, () => isOver))

  await expect.poll(() => seen.acknowledged.length).toBeGreaterThan(20)
  for (let outage = 0; outage < outages; outage++) {
    await postgres.pause()
    await expect.poll(() => seen.last).toBe('database_unavailable')
    expect((await server.call('GET', '/readyz')).status).toBe(503)
    expect((await server.call('GET', '/healthz')).status).toBe(200)
    const before = seen.acknowledged.length
    await postgres.resume()
    await expect.poll(() => seen.acknowledged.length).toBeGreaterThan(before + 20)
  }
  isOver = true
  await Promise.all(writers)

  expect([...seen.refused]).toEqual(['503 database_unavailable'])
  const text = await (await alice.rest.export({ query: { format: 'mcp-memory' } })).text()
  const names = new Set(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name),
  )
  expect(seen.acknowledged.filter((name) => !names.has(name))).toEqual([])
  if (outages > 1) console.log({ outages, acknowledged: seen.acknowledged.length, stored: names.size })
})
