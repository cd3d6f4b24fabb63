import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { isOnCitus } from '../../test/citus.ts'
import { type DialectName, testConfig } from '../../test/harness.ts'
import { createPostgresDatabase } from '../../test/postgres-databases.ts'
import { type Config, ConfigError } from '../ground/config/config.ts'
import { lockDirectory, tryLockDirectory } from '../ground/directory-lock.ts'
import { migrations } from './migrations/index.ts'
import { databaseFileName, type OpenDatabase, openDatabase } from './open.ts'
import { pingDatabase } from './ping.ts'

/** The database of the first release, and its number of migrations. */
const oldest = join(import.meta.dirname, '../../test/kept/0.1.0/sqlite.gz')
const migrationsOfOldest = 9

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function configOf(dialect: DialectName): Promise<Config> {
  const { config, remove } = await testConfig(dialect, { migrated: false })
  cleanups.push(remove)
  return config
}

async function open(config: Config, mayMigrate = true): Promise<OpenDatabase> {
  const database = await openDatabase(config, { mayMigrate })
  cleanups.push(() => database.db.destroy())
  return database
}

const appliedTo = async ({ db }: OpenDatabase) =>
  (
    await db
      .withTables<{ migrations: { name: string; applied_at: number } }>()
      .selectFrom('migrations')
      .select('name')
      .execute()
  )
    .map((row) => row.name)
    .sort()

test.skipIf(isOnCitus)(
  'a database that does not store text as UTF-8 is refused with an explanation',
  async () => {
    const config = await configOf('sqlite')
    const ascii = await createPostgresDatabase(inject('postgresUrl'), { encoding: 'SQL_ASCII' })
    cleanups.push(ascii.drop)
    const opened = openDatabase({ ...config, databaseUrl: ascii.url })
    await expect(opened).rejects.toThrow(/has the encoding SQL_ASCII; Loci needs UTF8/)
    await expect(opened).rejects.toBeInstanceOf(ConfigError)
  },
)

describe.each<DialectName>(['sqlite', 'postgres'])('opening a database (%s)', (dialect) => {
  test('processes that start together on an empty database all come up and migrate it once', async () => {
    const config = await configOf(dialect)
    const databases = await Promise.all([open(config), open(config), open(config)])
    for (const { db } of databases) await pingDatabase(db)
    expect(await appliedTo(databases[0]!)).toEqual(migrations.map((migration) => migration.name))
  })

  test('a database of a newer version is refused with an explanation', async () => {
    const config = await configOf(dialect)
    const { db } = await open(config)
    await db
      .withTables<{ migrations: { name: string; applied_at: number } }>()
      .insertInto('migrations')
      .values({ name: '999-from-the-future', applied_at: 0 })
      .execute()
    await expect(openDatabase(config)).rejects.toThrow(/newer version of Loci \(it has 999-from-the-future\)/)
  })

  test('a database from before the first release is refused with advice', async () => {
    const config = await configOf(dialect)
    const { db } = await open(config)
    const former = db.withTables<{ migrations: { name: string; applied_at: number } }>()
    await former.deleteFrom('migrations').execute()
    await former.insertInto('migrations').values({ name: '001-graph', applied_at: 0 }).execute()
    await expect(openDatabase(config)).rejects.toThrow(/before the first release.*loci export.*loci import/)
  })

  // On a cluster the tests' databases have already been migrated.
  const isEmpty = !(dialect === 'postgres' && isOnCitus)
  test.runIf(isEmpty)('an outdated database is refused where it may not be migrated', async () => {
    const config = await configOf(dialect)
    await expect(openDatabase(config, { mayMigrate: false })).rejects.toThrow(ConfigError)
    await open(config)
    await open(config, false)
  })
})

test('a folder in place of the database is explained', async () => {
  const config = await configOf('sqlite')
  mkdirSync(join(config.dataDir, databaseFileName))
  await expect(openDatabase(config)).rejects.toThrow(/loci\.db is a folder/)
})

test('an unreachable database is explained', async () => {
  const config = await configOf('sqlite')
  const unreachable = openDatabase({ ...config, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
  await expect(unreachable).rejects.toThrow(/^The database at DATABASE_URL cannot be used: .*ECONNREFUSED/)
  await expect(openDatabase({ ...config, dataDir: '/dev/null/loci' })).rejects.toThrow(
    /^The data directory \/dev\/null\/loci cannot be made/,
  )
})

test('a data directory has one server at a time', async () => {
  const config = await configOf('sqlite')
  const lock = lockDirectory(config)
  expect(() => lockDirectory(config)).toThrow(/is already running on/)
  expect(tryLockDirectory(config.dataDir)).toBeUndefined()
  lock.release()
  lockDirectory(config).release()
})

test('a file that needs migration is copied first; without a copy nothing changes', async () => {
  const config = await configOf('sqlite')
  const next = migrations[migrationsOfOldest]!.name
  writeFileSync(join(config.dataDir, 'loci.db'), gunzipSync(readFileSync(oldest)))
  const copy = join(config.dataDir, `loci.db.before-${next}`)
  mkdirSync(join(copy, 'in the way'), { recursive: true })
  await expect(openDatabase(config)).rejects.toThrow(/could not be made: .*Nothing was changed/)
  rmSync(copy, { recursive: true })
  expect(await appliedTo(await open(config))).toContain(next)
  expect(readdirSync(config.dataDir).filter((name) => name.includes('before'))).toEqual([basename(copy)])
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  const kept = new DatabaseSync(copy, { readOnly: true })
  expect(kept.prepare('select name from migrations').all()).toHaveLength(migrationsOfOldest)
  kept.close()
})

test('an empty database and an up-to-date one are not copied', async () => {
  const config = await configOf('sqlite')
  for (const _ of [1, 2]) await (await openDatabase(config)).db.destroy()
  expect(readdirSync(config.dataDir).filter((name) => name.includes('before'))).toEqual([])
})
