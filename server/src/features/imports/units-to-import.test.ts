import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Progress, startOfImport } from './import-progress.ts'
import type { ImportUnit } from './read-units.ts'
import { unitsToImport } from './units-to-import.ts'

/** A file of this stated size is read by a thread. */
const large = 100_000_000

const entities = Array.from({ length: 700 }, (_, i) => ({
  type: 'entity',
  name: `Engine ${i}`,
  entityType: 'machine',
  observations: [`runs on oil ${i}`, { content: 'ist sehr laut', metadata: { source: 'letter' } }, '', 7],
}))
const lines = [
  ...entities,
  'no json',
  { type: 'entity', name: 'Ada', entityType: 'person', observations: Array(450).fill('日本 \ud83e\udde0') },
  { type: 'observations', entity: 'Ada', observations: ['wrote a program on 2024-05-06'] },
  { type: 'relation', from: 'Ada', to: 'Engine 1', relationType: 'likes' },
]

let dir = ''
const path = () => join(dir, 'file.jsonl')
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'units-'))
  await writeFile(path(), lines.map((line) => JSON.stringify(line)).join('\n'))
})
afterAll(() => rm(dir, { recursive: true }))

async function readAll(bytes: number, progress: Progress = startOfImport): Promise<ImportUnit[]> {
  await using file = await open(path())
  const units: ImportUnit[] = []
  for await (const unit of unitsToImport(file, bytes, progress)) units.push(unit)
  return units
}

/** Removes undefined fields. */
const plain = (units: unknown) => JSON.parse(JSON.stringify(units))

test('a thread reads the same as reading without one', async () => {
  const here = plain(await readAll(0))
  expect(here).toHaveLength(lines.length + 2)
  expect(plain(await readAll(large))).toEqual(here)
})

test("a thread continues at an import's position, even in the middle of a line", async () => {
  const units = await readAll(0)
  const from = units.findIndex(({ at }) => at.item > 0)
  const later = await readAll(large, { ...startOfImport, position: units[from]!.at })
  expect(later.map(({ at }) => at)).toEqual(units.slice(from).map(({ at }) => at))
})

test('texts come with their analysis for the index, and most words once', async () => {
  const units = await readAll(large)
  const told = units.flatMap(({ observations }) =>
    (observations?.items ?? []).flatMap(({ indexed }) => indexed!.words.map(({ surface }) => surface)),
  )
  expect(told.filter((word) => word === 'laut')).toHaveLength(1)
  const relations = await readAll(large, { ...startOfImport, pass: 'relations' })
  expect(relations[0]?.observations?.items[0]).toEqual({ content: 'runs on oil 0' })
})

test('stopping early stops the thread', async () => {
  await using file = await open(path())
  for await (const { at } of unitsToImport(file, large, startOfImport)) {
    expect(at.offset).toBe(0)
    break
  }
})

test('what the thread cannot read fails the import', async () => {
  const file = await open(path())
  const units = unitsToImport({ fd: 999_999 } as typeof file, large, startOfImport)
  await expect(units.next()).rejects.toThrow('EBADF')
  await file.close()
})
