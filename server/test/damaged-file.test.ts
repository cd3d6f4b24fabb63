import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRestClient } from '@loci/client/rest'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Config } from '../src/ground/config/config.ts'
import { openContext } from '../src/open-context.ts'
import { databaseFileName } from '../src/store/open.ts'
import { setPlan } from './accounts.ts'
import { damagePages, damageTable } from './damage.ts'
import { listenOn, testConfig } from './harness.ts'
import { startServerProcess } from './server-process.ts'

const silent = pino({ level: 'silent' })
const main = join(import.meta.dirname, '../bin/loci.js')
const dayMs = 86_400_000

let config: Config
let remove: () => Promise<void>
let file: string

beforeEach(async () => {
  ;({ config, remove } = await testConfig('sqlite'))
  file = join(config.dataDir, databaseFileName)
})
afterEach(() => remove())

const serve = async (now?: () => number) => listenOn(await openContext(config, silent, now && { now }))

/** A closed database with one person and one entity in it. */
async function store() {
  const server = await serve()
  const person = await server.signUp()
  const { entity } = await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
  await server.close()
  return { ...person, entity }
}

function loci(...args: string[]) {
  const env = { ...process.env, LOCI_DATA_DIR: config.dataDir, DATABASE_URL: '' }
  return promisify(execFile)(process.execPath, [main, ...args], { env })
}

test('a damaged table stops all writes, and whatever can be read is read', async () => {
  const { token, entity } = await store()
  damageTable(file, 'changes')
  // Late enough that the server should record the session as seen.
  const server = await serve(() => Date.now() + dayMs)
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  const refusal = {
    status: 503,
    code: 'database_corrupt',
    message: expect.stringMatching(/stop it, run `loci check`, and restore a backup/),
  }
  try {
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    const create = () => rest.createEntity({ body: { name: 'Grace', type: 'person' } })
    await expect(create()).rejects.toMatchObject(refusal)
    const ready = await server.call('GET', '/readyz')
    expect(ready.status).toBe(503)
    expect(ready.body.error.code).toBe('database_corrupt')
    expect((await server.call('GET', '/healthz')).status).toBe(200)
    // Keys have their own table, which is undamaged.
    await expect(rest.createKey({ body: { name: 'late' } })).rejects.toMatchObject(refusal)
    expect((await rest.getEntity({ params: { id: entity.id } })).entity).toEqual(entity)
  } finally {
    await server.close()
  }
})

test('damaged pages that nobody reads are noticed in the background', async () => {
  const before = await serve()
  const { token } = await before.signUp()
  const words = (i: number) => Array.from({ length: 100 }, (_, n) => `w${(i * 100 + n) % 5_000}`).join(' ')
  const notes = (from: number) =>
    Array.from({ length: 100 }, (_, i) => ({
      name: `Note ${from + i}`,
      type: 'note',
      observations: [words(from + i)],
    }))
  for (let page = 0; page < 6; page++)
    await before.call('POST', '/api/entities/batch', { token, body: { entities: notes(page * 100) } })
  await before.close()
  damagePages(file, 'observations', 60)
  const error = vi.fn()
  const log = Object.assign(pino({ level: 'silent' }), { error })
  const ctx = await openContext(config, log)
  const server = await listenOn(ctx, { fileWatch: { firstMs: 200 } })
  try {
    expect((await server.call('GET', '/readyz')).status).toBe(200)
    await vi.waitFor(async () => expect((await server.call('GET', '/readyz')).status).toBe(503), {
      timeout: 60_000,
      interval: 100,
    })
    expect(error.mock.calls.map(([, message]) => message)).toContain(
      'the database file is damaged; nothing more is stored in it',
    )
    const { status, body } = await server.call('POST', '/api/keys', { token, body: { name: 'late' } })
    expect([status, body.error.code]).toEqual([503, 'database_corrupt'])
  } finally {
    await server.close()
  }
})

test('an intact file is not reported, also while it is written', async () => {
  const ctx = await openContext(config, silent)
  const server = await listenOn(ctx)
  const person = await server.signUp()
  const { rest } = person
  // On a slow machine more is written than the free plan allows.
  await setPlan(server, person, 'power-user')
  let isDone = false
  const checking = ctx.dialect.checkSlowly(new AbortController().signal).finally(() => {
    isDone = true
  })
  for (let i = 0; !isDone; i++) await rest.createEntity({ body: { name: `Ada ${i}`, type: 'person' } })
  expect(await checking).toEqual([])
  await server.close()
})

test('after a crash the server checks the file before it serves', async () => {
  const { token } = await store()
  damageTable(file, 'changes')
  const first = await startServerProcess(config)
  const write = createRestClient({ baseUrl: first.url, token: () => token }).createKey({
    body: { name: 'one' },
  })
  await write
  await first.kill()
  const second = await startServerProcess(config)
  try {
    expect((await fetch(`${second.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
  } finally {
    await second.stop()
  }
})

test('check and backup report damage, and leave no copy', async () => {
  await store()
  const copy = join(config.dataDir, 'backup.loci.part')
  for (const name of [copy, `${copy}-journal`, `${config.dataDir}.backup.loci.part`])
    writeFileSync(name, 'left by a backup that was killed')
  const backup = `${config.dataDir}.backup`
  await loci('backup', backup)
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  rmSync(backup)
  expect(existsSync(`${backup}.loci.part`)).toBe(false)
  expect(readdirSync(config.dataDir).filter((name) => name.includes('.part'))).toEqual([])
  damageTable(file, 'changes')
  const damaged = { code: 1, stderr: expect.stringMatching(/damaged[\s\S]*(page|malformed)/i) }
  await expect(loci('check')).rejects.toMatchObject(damaged)
  await expect(loci('backup', backup)).rejects.toMatchObject(damaged)
  expect([existsSync(backup), existsSync(`${backup}.loci.part`), existsSync(copy)]).toEqual([
    false,
    false,
    false,
  ])
})

test('a file that lost its content is not taken for a new database', async () => {
  await store()
  truncateSync(file, statSync(file).size - 4_096)
  await expect(openContext(config, silent)).rejects.toThrow(/its last 4096 bytes are missing/)
  truncateSync(file, 0)
  const places = [config, { ...config, secret: 'x'.repeat(32) }]
  for (const place of places) await expect(openContext(place, silent)).rejects.toThrow(/loci.db is empty/)
  expect(statSync(file).size).toBe(0)
})
