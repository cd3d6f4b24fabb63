import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUnit } from '../../ground/lib/vectors.ts'
import type { Db } from '../../store/db.ts'
import { createDb } from '../../store/dialect-of.ts'
import { sqliteDialect } from '../../store/dialect-sqlite.ts'
import { migrate } from '../../store/migrate.ts'
import { vectorsOf } from './vectors-of.ts'

const scope = { accountId: 1, spaceId: 1, embedder: 1, isNative: false }
const count = 5_000
/** Most numbers of an account belong to other things. */
const idOf = (place: number) => place * 1_000
let dir: string
let withExtension: { db: Db; dialect: ReturnType<typeof sqliteDialect> }
let without: typeof withExtension
/** Small, bent and reproducible. */
const vectorOf = (seed: number) =>
  toUnit(Array.from({ length: 24 }, (_, i) => Math.sin(seed * (i + 1)) + 0.3 * Math.cos(seed + i)))!

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loci-vectors-'))
  const open = (withVectors: boolean) => {
    const dialect = sqliteDialect(join(dir, 'loci.db'), { withVectors })
    return { dialect, db: createDb(dialect) }
  }
  withExtension = open(true)
  without = open(false)
  const { db, dialect } = withExtension
  await migrate(db)
  const key = { account_id: 1, space_id: 1 }
  const counts = { observations_count: count, degree: 0, version: 1, since_observations: 0 }
  const times = { created_at: 0, updated_at: 0, since: 1 }
  const entity = { ...key, ...counts, ...times, id: 1, name: 'a', type: 'b', metadata: '{}' }
  const observations = Array.from({ length: count }, (_, i) => ({
    ...{ ...key, ...times, id: idOf(i + 1), updated_at: null },
    ...{ entity_id: 1, content: 'x', content_hash: 0, metadata: null },
  }))
  await dialect.transaction(db, async (tx) => {
    await dialect.insertRows(tx, 'entities', [entity])
    await dialect.insertRows(tx, 'observations', observations)
    const vectors = observations.map(({ id }, i) => ({ passageId: id, vector: vectorOf(i + 1) }))
    await vectorsOf(dialect).store(tx, scope, [
      ...vectors,
      { passageId: idOf(count + 1), vector: vectorOf(1) },
    ])
  })
})
afterAll(async () => {
  await withExtension.db.destroy()
  await without.db.destroy()
  rmSync(dir, { recursive: true, force: true })
})

const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

test('nearest neighbours are the same with the extension, without it, and by definition', async () => {
  const question = vectorOf(0.37)
  const limits = { newest: idOf(count), limit: 20 }
  const { rows } = await sql<{ version: string }>`select vec_version() as version`.execute(withExtension.db)
  expect(rows[0]?.version).toMatch(/^v/)
  const fast = await vectorsOf(withExtension.dialect).findNearest(withExtension.db, scope, question, limits)
  const plain = await vectorsOf(without.dialect).findNearest(without.db, scope, question, limits)
  expect(fast.map(({ passageId }) => passageId)).toEqual(plain.map(({ passageId }) => passageId))
  const exact = Array.from({ length: count }, (_, i) => product(vectorOf(i + 1), question)).sort(
    (a, b) => b - a,
  )
  fast.forEach(({ similarity }, rank) => {
    expect(similarity).toBeCloseTo(exact[rank]!, 1)
    expect(similarity).toBeCloseTo(plain[rank]!.similarity, 4)
  })
})

test('vectors are found up to an id, of one embedder, for existing passages', async () => {
  const { db, dialect } = withExtension
  const nearest = await vectorsOf(dialect).findNearest(db, scope, vectorOf(4_000), {
    newest: idOf(3_000),
    limit: 5,
  })
  expect(Math.max(...nearest.map(({ passageId }) => passageId))).toBeLessThanOrEqual(idOf(3_000))
  const other = { ...scope, embedder: 2 }
  expect(
    await vectorsOf(dialect).findNearest(db, other, vectorOf(1), { newest: idOf(count), limit: 5 }),
  ).toEqual([])
  const all = await sql`select 1 from vectors where passage_id > ${idOf(count)}`.execute(db)
  expect(all.rows).toEqual([])
})
