import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overwriteFreeSpace } from './overwrite-free-space.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loci-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const isInFiles = (word: string) =>
  readdirSync(folder).some((name) => readFileSync(join(folder, name), 'latin1').includes(word))

/** Rows of many sizes, of which some are deleted and moved, so that copies stay in all kinds of pages. */
function fill(database: DatabaseSync): void {
  database.exec(`pragma journal_mode = wal; pragma secure_delete = off;
    create table texts (id integer primary key, word text, text text);
    create index texts_by_word on texts (word, id);
    create table clustered (word text, id integer, text text, primary key (word, id)) without rowid, strict;`)
  const insert = database.prepare('insert into texts values (?, ?, ?)')
  const insertClustered = database.prepare('insert into clustered values (?, ?, ?)')
  for (let i = 0; i < 3_000; i++) {
    const id = (i * 7_919) % 3_000
    const word = id % 3 === 0 ? 'zanzibar' : 'kept'
    const text = `${word} ${'x'.repeat(id % 50 === 0 ? 9_000 : (id * 37) % 700)} ${word}`
    insert.run(id, `${word}${id}`, text)
    insertClustered.run(`${word}${id}`, id, text)
  }
  database.exec(
    `delete from texts where word like 'zanzibar%'; delete from clustered where word like 'zanzibar%'`,
  )
}

const rowsOf = (database: DatabaseSync) =>
  database.prepare('select * from texts order by id').all().length +
  database.prepare('select * from clustered order by id').all().length

test('nothing of deleted rows stays in a file, and all other rows do', async () => {
  const database = new DatabaseSync(join(folder, 'a.db'))
  fill(database)
  database.exec('pragma wal_checkpoint(truncate)')
  expect(isInFiles('zanzibar')).toBe(true)
  const rows = rowsOf(database)
  expect(await overwriteFreeSpace(join(folder, 'a.db'))).toBe(true)
  expect(isInFiles('zanzibar')).toBe(false)
  // Pages that a connection remembers must not bring it back.
  database.exec("update texts set text = 'kept ' || id where id % 5 = 1; pragma wal_checkpoint(truncate)")
  expect(isInFiles('zanzibar')).toBe(false)
  expect(rowsOf(database)).toBe(rows)
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
})

test('a file is left alone while others read an older state of it', async () => {
  const database = new DatabaseSync(join(folder, 'a.db'))
  fill(database)
  const reader = new DatabaseSync(join(folder, 'a.db'), { readOnly: true })
  reader.exec('begin')
  rowsOf(reader)
  database.exec("update texts set text = 'later'")
  expect(await overwriteFreeSpace(join(folder, 'a.db'), 200)).toBe(false)
  expect(reader.prepare("select count(*) as n from texts where text = 'later'").get()).toEqual({ n: 0 })
  reader.close()
  database.close()
})

test('a file that is no database is not touched', async () => {
  await expect(overwriteFreeSpace(join(folder, 'missing', 'a.db'))).rejects.toThrow(
    /could not be overwritten/,
  )
})
