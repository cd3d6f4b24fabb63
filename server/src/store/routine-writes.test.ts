import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endOfCallback } from '../../test/end-of-callback.ts'
import { cachedUntilCommit } from './cached-until-commit.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { createDb } from './dialect-of.ts'
import { sqliteDialect } from './dialect-sqlite.ts'

describe('what a look-up found (SQLite)', () => {
  let directory: string
  let dialect: Dialect
  let db: Db
  let other: Db
  let queries: number

  const find = cachedUntilCommit(async (of, plan) => {
    queries++
    return (await sql`select account_id from accounts where plan = ${plan}`.execute(of)).rows.length
  })
  const run = (of: Db, text: string) => sql.raw(text).execute(of)

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'loci-routine-'))
    const file = join(directory, 'loci.db')
    dialect = sqliteDialect(file)
    db = createDb(dialect)
    await run(
      db,
      'create table accounts (account_id integer primary key, plan text, entities integer) strict',
    )
    await run(db, 'create table entities (name text) strict')
    await run(db, "insert into accounts values (1, 'free', 0)")
    other = createDb(sqliteDialect(file))
    queries = 0
    expect(await find(db, 'free')).toBe(1)
  })
  afterEach(async () => {
    await db.destroy()
    await other.destroy()
    rmSync(directory, { recursive: true })
  })

  test('is kept while this process writes only the graph and its counters', async () => {
    await dialect.transaction(db, async (tx) => {
      await run(tx, "insert into entities values ('Ada')")
      await run(tx, 'update accounts set entities = entities + 1')
    })
    await run(db, 'delete from entities')
    expect([await find(db, 'free'), queries]).toEqual([1, 1])
  })

  test.each([
    "update accounts set entities = 0, plan = 'pro'",
    'delete from accounts',
    "insert into accounts values (2, 'free', 0) on conflict do update set entities = 0",
  ])('is looked up again after %s', async (text) => {
    const count = () => sql`select 1 from accounts where plan = 'free'`.execute(db)
    await run(db, text)
    const { rows } = await count()
    expect([await find(db, 'free'), queries]).toEqual([rows.length, 2])
    await dialect.transaction(db, (tx) => run(tx, "insert into accounts values (3, 'free', 0)"))
    expect([await find(db, 'free'), queries]).toEqual([rows.length + 1, 3])
  })

  test('is not taken from an uncommitted transaction, and not kept beyond it', async () => {
    await dialect.transaction(db, async (tx) => {
      await run(tx, 'delete from accounts')
      expect(await find(tx, 'free')).toBe(0)
    })
    expect(await find(db, 'free')).toBe(0)
  })

  test('is looked up again after any write of another process', async () => {
    await run(other, "insert into entities values ('Bea')")
    await endOfCallback()
    expect([await find(db, 'free'), queries]).toEqual([1, 2])
  })

  test('is looked up again after every write where Node cannot ask SQLite', async () => {
    const { setAuthorizer } = DatabaseSync.prototype
    Reflect.deleteProperty(DatabaseSync.prototype, 'setAuthorizer')
    try {
      await db.destroy()
      db = createDb(sqliteDialect(join(directory, 'loci.db')))
      await find(db, 'free')
      queries = 0
      await run(db, "insert into entities values ('Ada')")
      expect(await find(db, 'free')).toBe(1)
      expect(queries).toBe(1)
    } finally {
      DatabaseSync.prototype.setAuthorizer = setAuthorizer
    }
  })
})
