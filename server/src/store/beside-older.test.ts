import { createRestClient, type RestClient } from '@loci/client/rest'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { isOnCitus } from '../../test/citus.ts'
import { type DialectName, testConfig } from '../../test/harness.ts'
import { startServerProcess } from '../../test/server-process.ts'
import { type Config, ConfigError } from '../ground/config/config.ts'
import { indexVersion } from '../search/store/search-index.repo.ts'
import { createDb, setDialect } from './dialect-of.ts'
import { postgresDialect } from './dialect-postgres.ts'
import { sqliteDialect } from './dialect-sqlite.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations/index.ts'
import { processNameOf } from './older-processes.ts'
import { openDatabase } from './open.ts'

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function configOf(dialect: DialectName): Promise<Config> {
  const { config, remove } = await testConfig(dialect, { migrated: false })
  cleanups.push(remove)
  return config
}

async function open(config: Config) {
  const database = await openDatabase(config)
  cleanups.push(() => database.db.destroy())
  return database.db
}

/** The database as a program opens it that knows these migrations. */
async function openAs(config: Config, known: readonly Migration[]) {
  if (config.databaseUrl === undefined) return open(config)
  const dialect = postgresDialect(config.databaseUrl, { processName: processNameOf(known) })
  const db = createDb(dialect)
  setDialect(db, dialect)
  cleanups.push(() => db.destroy())
  return db
}

/** Rows of a large table get the new column, three at a time. */
const expanding: Migration = {
  name: '900-marks',
  statements: ({ sql: { integer, text } }) => [
    `alter table observations add column mark ${integer}`,
    `create table marks (account_id ${integer} primary key, name ${text} not null)`,
  ],
  slices: () => [
    `update observations set mark = 1 where mark is null and id in (select id from observations where mark is null limit 3)`,
  ],
}
/** Needs what the slices did. */
const afterSlices: Migration = {
  name: '901-marked',
  statements: () => [
    `insert into marks select account_id, 'marked' from observations where mark = 1 limit 1`,
  ],
}
const breaking: Migration = {
  name: '902-renamed',
  statements: () => [`alter table marks rename to labels`],
  endsOlder: 'marks are called labels',
}

async function startOlder(config: Config) {
  const server = await startServerProcess(config)
  cleanups.push(server.kill)
  const session = await createRestClient({ baseUrl: server.url }).register({
    body: { email: 'ada@example.com', password: 'correct horse battery', firstName: 'A', lastName: 'L' },
  })
  return { server, rest: createRestClient({ baseUrl: server.url, token: () => session.user.apiKey! }) }
}

/** Writes and reads until `work` has ended; a refusal fails the test. */
async function whileCalled(rest: RestClient, work: () => Promise<unknown>): Promise<void> {
  let isOver = false
  const calls = (async () => {
    for (let count = 0; !isOver; count++) {
      const body = { name: `During ${count}`, type: 'note', observations: ['written by the older process'] }
      const { entity } = await rest.createEntity({ body })
      await rest.getEntity({ params: { id: entity.id } })
    }
  })()
  await Promise.all([work().finally(() => (isOver = true)), calls])
}

const countOf = async (db: Awaited<ReturnType<typeof open>>, condition: string) =>
  Number((await sql.raw<{ n: number }>(`select count(*) as n from ${condition}`).execute(db)).rows[0]!.n)

/** Adds, and lets rows of older programs be. */
const adds = [
  /^create (virtual )?table \w+ /,
  /^create index /,
  /^alter table \w+ add column \w+ \w+( default \S+)?$/,
  /^alter table \w+ add column \w+ \w+ not null default \S+$/,
]

const isAddition = (statement: string, before: readonly string[]) =>
  adds.some((form) => form.test(statement)) ||
  before.some((one) => {
    const table = /^create (?:virtual )?table (\w+)/.exec(one)?.[1]
    return (
      table !== undefined &&
      new RegExp(`^(create unique index \\w+ on|insert into|alter table) ${table} `).test(statement)
    )
  })

test('a migration of the program says so, unless it only adds', () => {
  for (const dialect of [sqliteDialect(':memory:'), postgresDialect('postgres://nowhere/none')])
    for (const { name, statements, endsOlder } of migrations) {
      if (endsOlder !== undefined) continue
      const changes = statements(dialect).filter(
        (statement, at, all) => !isAddition(statement, all.slice(0, at)),
      )
      expect([name, ...changes]).toEqual([name])
    }
})

// Older processes would go on writing terms of the older analyser: raise it with a migration that has `endsOlder`.
test('the version of the search index is as the newest migration knows it', () => {
  expect(indexVersion).toBe(8)
})

// The tests' databases on a cluster are migrated by their owner.
describe.skipIf(isOnCitus).each<DialectName>(['sqlite', 'postgres'])('an older process (%s)', (dialect) => {
  test('serves on while a newer one migrates, and can be started again beside it', async () => {
    const config = await configOf(dialect)
    const { server, rest } = await startOlder(config)
    for (const name of ['Vienna', 'Danube', 'Prater', 'Graz'])
      await rest.createEntity({ body: { name, type: 'place', observations: ['one', 'two'] } })
    const db = await open(config)
    const newer = [...migrations, expanding, afterSlices]
    await whileCalled(rest, async () => {
      expect(await migrate(db, newer)).toEqual(['900-marks', '901-marked'])
    })
    expect(await countOf(db, 'observations where mark = 1')).toBeGreaterThanOrEqual(8)
    expect(await countOf(db, "marks where name = 'marked'")).toBe(1)
    expect(await migrate(db, newer)).toEqual([])
    await server.stop()
    const again = await startServerProcess(config)
    cleanups.push(again.kill)
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
  })

  test('holds off a migration beside which it cannot serve, and is refused after it', async () => {
    const config = await configOf(dialect)
    const newer = [...migrations, expanding, breaking]
    const db = await openAs(config, newer)
    await migrate(db)
    // Of a file it is not known who uses it: the page says to stop all of them.
    if (dialect === 'postgres') {
      const { server, rest } = await startOlder(config)
      await whileCalled(rest, () =>
        expect(migrate(db, newer)).rejects.toThrow(
          /902-renamed: marks are called labels.*connected from .*Stop them.*nothing was changed/,
        ),
      )
      await server.stop()
    }
    expect(await migrate(db, newer)).toContain('902-renamed')
    const refused = openDatabase(config)
    await expect(refused).rejects.toThrow(/newer version of Loci \(it has 902-renamed\)/)
    await expect(refused).rejects.toBeInstanceOf(ConfigError)
  })

  test('that ended among the slices leaves the rest to the next', async () => {
    const config = await configOf(dialect)
    const db = await open(config)
    const broken = { ...expanding, slices: () => ['update nowhere set mark = 1'] }
    await expect(migrate(db, [...migrations, broken, afterSlices])).rejects.toThrow(/nowhere/)
    expect(await countOf(db, "migrations where name = '900-marks' and is_finished = 0")).toBe(1)
    expect(await countOf(db, "migrations where name = '901-marked'")).toBe(0)
    expect(await migrate(db, [...migrations, expanding, afterSlices])).toEqual(['901-marked'])
    expect(await countOf(db, 'migrations where is_finished = 0')).toBe(0)
  })
})
