import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endOfCallback } from '../../test/end-of-callback.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import { createDamage } from './sqlite-damage.ts'

const options = () => ({ busyTimeoutMs: 1_000, damage: createDamage() })

test('rows keep their columns when another process adds one to a table (SQLite)', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'loci-statement-'))
  const [ours, other] = [0, 1].map(() => openNodeSqlite(join(directory, 'loci.db'), options()))
  const run = (database = ours, sql = '') => {
    const statement = database!.prepare(sql)
    return statement.reader ? statement.all([]) : statement.run([])
  }
  try {
    run(ours, 'create table pairs as select 1 as a, 2 as b')
    run(ours, 'create table ends as select 9 as z')
    const read = ours!.prepare('select pairs.*, ends.* from pairs, ends')
    expect(read.all([])).toEqual([{ a: 1, b: 2, z: 9 }])
    run(other, 'alter table pairs add column c default 3')
    await endOfCallback()
    expect(read.all([])).toEqual([{ a: 1, b: 2, c: 3, z: 9 }])
    expect([...read.iterate([])]).toEqual([{ a: 1, b: 2, c: 3, z: 9 }])
  } finally {
    ours!.close()
    other!.close()
    rmSync(directory, { recursive: true })
  }
})

test('a statement works after one that returned a number beyond 2^53 (SQLite)', () => {
  const database = openNodeSqlite(':memory:', options())
  try {
    database.prepare('create table things (id integer primary key)').run([])
    database.prepare('insert into things values (9007336693694464)').run([])
    expect(database.prepare('delete from things').run([]).changes).toBe(1n)
  } finally {
    database.close()
  }
})

test('statements that may write are distinguished from those that only read (SQLite)', () => {
  const database = openNodeSqlite(':memory:', options())
  const isRead = (sql: string) => {
    const statement = database.prepare(sql)
    statement.all([])
    return statement.isRead
  }
  try {
    expect(isRead('create table things as select 1 as a')).toBe(false)
    expect(isRead('select * from things')).toBe(true)
    expect(isRead('with one as (select 1) select * from one')).toBe(true)
    expect(isRead('insert into things values (2) returning a')).toBe(false)
    expect(isRead('with one as (select 1) insert into things select * from one')).toBe(false)
    expect(isRead('update things set a = 3')).toBe(false)
    expect(isRead('delete from things')).toBe(false)
  } finally {
    database.close()
  }
})
