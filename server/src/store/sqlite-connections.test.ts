import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endOfCallback } from '../../test/end-of-callback.ts'
import type { Db } from './db.ts'
import type { Dialect } from './dialect.ts'
import { createDb } from './dialect-of.ts'
import { sqliteDialect } from './dialect-sqlite.ts'
import { prepared, statement } from './prepared.ts'
import { inProcessOf } from './run-compiled.ts'

const readPrepared = prepared((db: Db, _: object) =>
  statement<{ text: string }>(db, sql`select text from notes order by text`),
)

const insertPrepared = prepared((db: Db, values: { text: string }) =>
  statement(db, sql`insert into notes values (${values.text})`),
)

const ways: Record<string, (db: Db) => Promise<{ text: string }[]>> = {
  'a prepared query': (db) => readPrepared(db, {}),
  'any other query': async (db) =>
    (await sql<{ text: string }>`select text from notes order by text`.execute(db)).rows,
}

describe('reads during a write transaction (SQLite)', () => {
  let directory: string
  let dialect: Dialect
  let db: Db

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'loci-readers-'))
    dialect = sqliteDialect(join(directory, 'loci.db'))
    db = createDb(dialect)
    await sql`create table notes (text text primary key) strict`.execute(db)
    await insert(db, 'before')
  })
  afterEach(async () => {
    await db.destroy()
    rmSync(directory, { recursive: true })
  })

  const insert = (to: Db, text: string) => sql`insert into notes values (${text})`.execute(to)

  /** A transaction that has written `text` and stays open until the returned function is called. */
  async function writeAndWait(text: string, ending?: Error) {
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const written = dialect.transaction(db, async (tx) => {
      await insert(tx, text)
      begun.resolve()
      await mayEnd.promise
      if (ending !== undefined) throw ending
    })
    await begun.promise
    return () => {
      mayEnd.resolve()
      return written
    }
  }

  test.each(Object.entries(ways))('%s continues and sees what is committed', async (_, read) => {
    const texts = async () => (await read(db)).map(({ text }) => text)
    expect(await texts()).toEqual(['before'])
    const end = await writeAndWait('meanwhile')
    expect(await texts()).toEqual(['before'])
    await end()
    expect(await texts()).toEqual(['before', 'meanwhile'])
    const undo = await writeAndWait('undone', new Error('no'))
    expect(await texts()).toEqual(['before', 'meanwhile'])
    await expect(undo()).rejects.toThrow('no')
    expect(await texts()).toEqual(['before', 'meanwhile'])
  })

  test('reads within the transaction see its own writes', async () => {
    await dialect.transaction(db, async (tx) => {
      await insert(tx, 'own')
      for (const read of Object.values(ways)) expect(await read(tx)).toHaveLength(2)
    })
  })

  test('a single write waits for its turn', async () => {
    const end = await writeAndWait('first')
    const second = insert(db, 'second')
    const third = sql`insert into notes values ('third') returning text`.execute(db)
    expect(await Promise.race([second, third, 'still waiting'])).toBe('still waiting')
    await end()
    await Promise.all([second, third])
    expect(await ways['any other query']!(db)).toHaveLength(4)
  })

  test.each<[string, (text: string) => Promise<unknown>]>([
    ['by itself', (text) => insert(db, text)],
    ['that is prepared', (text) => insertPrepared(db, { text })],
    ['in a transaction', (text) => dialect.transaction(db, (tx) => insert(tx, text))],
  ])('a write %s waits while another process writes', async (_, write) => {
    const other = new DatabaseSync(join(directory, 'loci.db'))
    other.exec('begin immediate')
    const written = write('waited')
    await sleep(200)
    other.exec('commit')
    other.close()
    await written
    expect(await ways['any other query']!(db)).toContainEqual({ text: 'waited' })
  })

  test('a snapshot keeps its state while others read and write', async () => {
    await dialect.snapshot(db, async (snapshot) => {
      for (const read of Object.values(ways)) expect(await read(snapshot)).toHaveLength(1)
      await insert(db, 'later')
      await dialect.transaction(db, (tx) => insert(tx, 'latest'))
      expect(await ways['any other query']!(db)).toHaveLength(3)
      for (const read of Object.values(ways)) expect(await read(snapshot)).toHaveLength(1)
    })
    await dialect.snapshot(db, async (snapshot) => {
      for (const read of Object.values(ways)) expect(await read(snapshot)).toHaveLength(3)
    })
  })

  test('reads of one callback see one state and the commits of this process, and no later read an old state', async () => {
    const other = createDb(sqliteDialect(join(directory, 'loci.db')))
    const counts = () => Promise.all(Object.values(ways).map(async (read) => (await read(db)).length))
    await endOfCallback()
    expect(await counts()).toEqual([1, 1])
    await insert(other, 'elsewhere')
    expect(await counts()).toEqual([1, 1])
    await insert(db, 'here')
    expect(await counts()).toEqual([3, 3])
    await insert(other, 'elsewhere too')
    await endOfCallback()
    expect(await counts()).toEqual([4, 4])
    await other.destroy()
  })

  test('commits are counted, separately from those of other processes', async () => {
    const { writes, writesOfOthers } = versionsOf(db)
    const [seen, seenOfOthers] = [writes(), writesOfOthers()]
    expect(writes()).toBe(seen)
    const end = await writeAndWait('here')
    expect(writes()).toBe(seen)
    await end()
    const seenHere = writes()
    expect(seenHere).not.toBe(seen)
    expect(writesOfOthers()).toBe(seenOfOthers)
    const other = createDb(sqliteDialect(join(directory, 'loci.db')))
    await insert(other, 'elsewhere')
    await other.destroy()
    await endOfCallback()
    expect(writes()).not.toBe(seenHere)
    expect(writesOfOthers()).not.toBe(seenOfOthers)
  })
})

function versionsOf(db: Db) {
  const inProcess = inProcessOf(db.getExecutor().adapter)!
  return { writes: () => inProcess.writes(db), writesOfOthers: () => inProcess.writesOfOthers() }
}
