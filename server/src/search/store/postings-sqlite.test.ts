import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { createDb } from '../../store/dialect-of.ts'
import { sqliteDialect } from '../../store/dialect-sqlite.ts'
import { migrate } from '../../store/migrate.ts'
import { postingsOf } from './posting-lists.ts'

const scope = { accountId: 1, spaceId: 1 }
let directory: string
let dialect: Dialect
let db: Db

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loci-postings-'))
  dialect = sqliteDialect(join(directory, 'loci.db'))
  db = createDb(dialect)
  await migrate(db)
})

afterEach(async () => {
  await db.destroy()
  await rm(directory, { recursive: true })
})

async function countSegments(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(distinct segid) as n from postings_idx`.execute(db)
  return rows[0]!.n
}

test('many small writes leave few places to look in, and nothing is lost', async () => {
  for (let id = 1; id <= 400; id++) {
    await dialect.transaction(db, (tx) =>
      postingsOf(dialect).add(tx, scope, [{ id, terms: `everywhere only${id}` }]),
    )
  }
  expect(await countSegments()).toBeLessThan(30)
  const [found] = await postingsOf(dialect).readNewest(db, scope, ['everywhere'], 1_000)
  expect(found!.ids).toHaveLength(400)
  const [oldest] = await postingsOf(dialect).readNewest(db, scope, ['only1'], 10)
  expect([...oldest!.ids]).toEqual([1])
})

test('a large write leaves more places, which are merged in short steps', async () => {
  const terms = (id: number) =>
    Array.from({ length: 60 }, (_, i) => `word${(id * 61 + i * 7) % 5_000}`).join(' ')
  const passages = Array.from({ length: 6_000 }, (_, i) => ({ id: i + 1, terms: terms(i) }))
  await dialect.transaction(db, (tx) => postingsOf(dialect).add(tx, scope, passages))
  expect(await countSegments()).toBeLessThan(50)
  while (await dialect.transaction(db, (tx) => postingsOf(dialect).settle(tx)));
  expect(await countSegments()).toBeLessThan(8)
})

test('long texts, each of which fills the buffer, leave few places too', async () => {
  const terms = (id: number) => Array.from({ length: 9_000 }, (_, i) => `word${id * 31 + i}`).join(' ')
  const passages = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, terms: terms(i) }))
  await dialect.transaction(db, (tx) => postingsOf(dialect).add(tx, scope, passages))
  expect(await countSegments()).toBeLessThan(30)
})
