import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { restWith, setPlan } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { addCard, startTrial } from '../../../test/billing.ts'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { type EmbedderDouble, startEmbedderDouble } from '../../../test/embedder-double.ts'
import { exerciseTheContract } from '../../../test/exercise.ts'
import { listenOn, type Person, type TestServer, testConfig } from '../../../test/harness.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { patience } from '../../../test/socket.ts'
import type { Config } from '../../ground/config/config.ts'
import { openContext } from '../../open-context.ts'
import { openMoveSource } from '../../store/move-source.ts'
import { openDatabase } from '../../store/open.ts'
import { checkAll } from '../checks/checks.service.ts'
import { createEntity } from '../entities/entities.service.ts'
import { findLocalActor } from '../users/local-actor.ts'
import { type MoveProgress, moveInstallation } from './moves.service.ts'

const main = join(import.meta.dirname, '../../../bin/loci.js')
const embedding = { restMs: 20 }
const text = 'Ada drinks tea at five, and '
const longText = text.repeat(60)

/** Serves the app on a database that is kept when the app closes. */
async function serve(config: Config): Promise<TestServer> {
  const clock = { now: Date.now() }
  const ctx = await openContext(config, pino({ level: 'silent' }), { now: () => clock.now })
  return { ...(await listenOn(ctx, { embedding })), clock, config }
}

function environmentOf(source: Config, target: Config | undefined) {
  return { LOCI_DATA_DIR: source.dataDir, DATABASE_URL: target?.databaseUrl ?? '' }
}

/** Runs the command; if it is refused, returns its standard error. */
async function move(source: Config, target: Config | undefined): Promise<string> {
  const env = environmentOf(source, target)
  const { code, stdout, stderr } = await runLociInProcess(['move', 'sqlite-to-postgres'], { env })
  return code === 0 ? stdout : stderr
}

/** Lines without the header, which has the time of the export. */
const linesOf = (exported: string) => exported.split('\n').slice(1)

const countsOf = async ({ ctx: { db } }: TestServer) => [
  await db.selectFrom('month_counts').selectAll().orderBy('account_id').orderBy('month').execute(),
  await db
    .selectFrom('operation_counts')
    .selectAll()
    .orderBy('account_id')
    .orderBy('operation')
    .orderBy('resource')
    .execute(),
]

/** Everything that a person can see, in the order of the tables. */
async function lookAt(server: TestServer, person: Person, asOf: string) {
  const { rest } = person
  const { results } = await rest.search({ query: { query: 'who counts engines' } })
  return {
    present: linesOf(await (await rest.export()).text()),
    past: linesOf(await (await rest.export({ query: { asOf } })).text()),
    changes: await rest.listChanges({ query: { limit: '100' } }),
    keys: await rest.listKeys(),
    subscription: await rest.subscription(),
    invoices: await rest.listInvoices(),
    cards: await rest.listPaymentMethods(),
    found: results.map(({ entity }) => entity.id),
    me: await restWith(server, person.apiKey).listEntities({ query: { include: 'observations' } }),
  }
}

const restOn = (server: TestServer, person: Person): Person => ({
  ...person,
  rest: restWith(server, person.token),
})

describe('a move from SQLite to PostgreSQL', () => {
  let source: { config: Config; remove: () => Promise<void> }
  let target: { config: Config; remove: () => Promise<void> }
  let double: EmbedderDouble
  let alice: Person
  let bob: Person
  let before: Awaited<ReturnType<typeof lookAt>>
  let counts: Awaited<ReturnType<typeof countsOf>>
  let middle: string

  beforeAll(async () => {
    double = await startEmbedderDouble()
    source = await testConfig('sqlite')
    target = await testConfig('postgres', { migrated: false })
    source.config.embeddings = double.config
    const server = await serve(source.config)
    alice = await server.signUp()
    bob = await server.signUp('bob')
    await setPlan(server, alice, 'power-user')
    await exerciseTheContract(server, alice)
    middle = String((await alice.rest.listChanges()).changes[0]!.seq)
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Long', type: 'person', observations: [longText, 'counts engines', 'naïve 猫 𝒳'] },
    })
    await alice.rest.eraseEntity({ params: { id: entity.id } })
    await alice.rest.createEntity({ body: { name: 'Longer', type: 'person', observations: [longText] } })
    await addCard(bob)
    await startTrial(bob, 'pro')
    await vi.waitFor(
      async () => expect(await alice.rest.embeddingsStatus()).toMatchObject({ waiting: 0, state: 'ready' }),
      patience,
    )
    before = await lookAt(server, alice, middle)
    await server.ctx.usage.flush()
    counts = await countsOf(server)
    await server.close()
  })

  afterAll(async () => {
    await source.remove()
    await target.remove()
    await double.close()
  })

  test('is refused without a target, beside a running server, and into a database with other data', async () => {
    expect(await move(source.config, undefined)).toMatch(/^Set DATABASE_URL to/)
    expect(await move({ ...source.config, dataDir: '/nonexistent' }, target.config)).toMatch(
      /^There is no database in/,
    )
    const program = spawn(process.execPath, [main, 'serve'], {
      env: {
        ...process.env,
        ...environmentOf(source.config, undefined),
        PORT: '0',
        LOCI_LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(program.stdout, 'data')
    expect(await move(source.config, target.config)).toMatch(/^A Loci server is already running on/)
    program.kill('SIGTERM')
    await once(program, 'exit')
    const other = await testConfig('postgres', { migrated: false })
    const server = await serve(other.config)
    await server.signUp('carol')
    await server.close()
    expect(await move(source.config, other.config)).toMatch(/holds other data already/)
    await other.remove()
    const unclaimed = await testConfig('postgres', { migrated: false })
    const { ctx, close } = await serve(unclaimed.config)
    const agent = await findLocalActor(ctx)
    await createEntity(ctx, agent, {
      name: 'Without an account',
      type: 'thing',
      observations: [],
      metadata: {},
    })
    await close()
    expect(await move(source.config, unclaimed.config)).toMatch(/holds other data already/)
    await unclaimed.remove()
  })

  test('that is killed can continue, and nothing is served until it is done', async () => {
    // Starting creates an account for memory that belongs to nobody.
    await (await startServerProcess(target.config)).stop()
    const client = new pg.Client({ connectionString: target.config.databaseUrl })
    await client.connect()
    await client.query(
      `create function wait() returns trigger as 'begin perform pg_sleep(600); end' language plpgsql`,
    )
    await client.query(
      'create trigger wait before insert on relations for each statement execute function wait()',
    )
    const args = [main, 'move', 'sqlite-to-postgres']
    const env = { ...process.env, ...environmentOf(source.config, target.config) }
    const program = spawn(process.execPath, args, { env, stdio: 'ignore' })
    const isWaiting = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`
    await expect
      .poll(async () => (await client.query(isWaiting.replace('pg_terminate_backend(pid)', '1'))).rowCount, {
        timeout: 60_000,
      })
      .toBe(1)
    program.kill('SIGKILL')
    await once(program, 'exit')
    await client.query(isWaiting)
    await client.query('drop function wait cascade')
    expect((await client.query('select count(*) as count from entities')).rows).not.toEqual([{ count: '0' }])
    await client.end()
    await expect(serve(target.config)).rejects.toThrow('A move into this database is not finished.')
    expect(await move(source.config, target.config)).toMatch(/^Moved, and compared row by row/)
    expect(await move(source.config, target.config)).toMatch(/^This installation was moved there before/)
  })

  test('keeps everything: sign-in, keys, history, billing, usage and search', async () => {
    const orders = double.orders.length
    const secret = readFileSync(join(source.config.dataDir, 'secret'), 'utf8').trim()
    const server = await serve({ ...target.config, secret, embeddings: double.config })
    expect(await countsOf(server)).toEqual(counts)
    const here = restOn(server, alice)
    expect(await lookAt(server, here, middle)).toEqual(before)
    const { user } = await server.anonymous.login({ body: { email: alice.email, password: alice.password } })
    expect(user.apiKey).toBe(alice.apiKey)
    expect((await restOn(server, bob).rest.subscription()).plan).toBe('pro')
    expect(await arrayOf(checkAll(server.ctx))).toEqual([])
    // Passages keep their numbers, so their vectors still match.
    await expect.poll(() => here.rest.embeddingsStatus()).toMatchObject({ state: 'ready', waiting: 0 })
    const embedded = double.orders.slice(orders).flatMap(({ input }) => input)
    expect(embedded.filter((one) => one.startsWith('passage: '))).toEqual([])
    // Number sequences continue.
    const { accountId } = await server.signUp('dave')
    expect([alice.accountId, bob.accountId]).not.toContain(accountId)
    const { entity } = await here.rest.createEntity({ body: { name: 'After the move', type: 'note' } })
    expect(before.present.join('\n')).not.toContain(`"${entity.id}"`)
    await server.close()
  })

  test('shows the progress of each step', async () => {
    const other = await testConfig('postgres', { migrated: false })
    const to = await openDatabase(other.config)
    const from = openMoveSource(join(source.config.dataDir, 'loci.db'))
    const lasts = new Map<string, MoveProgress>()
    const onProgress = (progress: MoveProgress) => void lasts.set(progress.step, progress)
    try {
      await moveInstallation(from, to, { log: pino({ level: 'silent' }), now: Date.now, onProgress })
    } finally {
      from.close()
      await to.db.destroy()
      await other.remove()
    }
    const { rows, of } = lasts.get('indexing')!
    expect(rows).toBeGreaterThan(10)
    expect(of).toBe(rows)
    expect([...lasts.keys()]).toEqual(['copying', 'comparing', 'indexing'])
  })
})
