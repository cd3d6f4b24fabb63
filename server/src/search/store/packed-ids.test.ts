import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  blockOf,
  createPacker,
  firstIdOf,
  mergeIds,
  mergePacked,
  packIds,
  unpackIds,
  withoutIds,
} from './packed-ids.ts'

test('ids come out of a block as they went in', () => {
  const first = 3 * 2 ** 14
  const ids = [first, first + 1, first + 255, first + 256, first + 2 ** 14 - 1]
  expect([...unpackIds(3, packIds(ids))]).toEqual(ids)
  const last = [2 ** 32 - 2 ** 14, 2 ** 32 - 1]
  expect([...unpackIds(2 ** 18 - 1, packIds(last))]).toEqual(last)
})

test('packed ids compare as the ids do', () => {
  const ids = [0, 1, 255, 256, 257, 16_383]
  const packed = ids.map((id) => packIds([id]))
  expect(packed.toSorted(Buffer.compare)).toEqual(packed)
})

test('lists are merged with each id once', () => {
  expect([...mergeIds()]).toEqual([])
  expect([...mergeIds([1, 2, 2, 5], [6])]).toEqual([1, 2, 5, 6])
  expect([...mergeIds(Uint32Array.of(7, 9), [2, 9], [4_294_967_295, 1])]).toEqual([1, 2, 7, 9, 4_294_967_295])
})

test('a block accepts ids between its own, and gives some up', () => {
  const packed = mergePacked(1, packIds([16_384, 16_390]), packIds([16_386, 16_390, 17_000]))
  expect([...unpackIds(1, packed)]).toEqual([16_384, 16_386, 16_390, 17_000])
  expect([...unpackIds(1, withoutIds(1, packed, packIds([16_386, 16_999])))]).toEqual([
    16_384, 16_390, 17_000,
  ])
  expect(withoutIds(1, packIds([16_384]), packIds([16_384]))).toHaveLength(0)
})

test('postings are grouped by term and block', () => {
  const packer = createPacker()
  for (const [term, id] of [
    ['tea', 20_000],
    ['tea', 3],
    ['milk', 3],
    ['tea', 2],
    ['tea', 3],
  ] as const)
    packer.add(term, id)
  const unpacked = [...packer.pack()].map(({ term, block, ids }) => [term, ...unpackIds(block, ids)])
  expect(unpacked).toEqual([
    ['tea', 20_000],
    ['tea', 2, 3],
    ['milk', 3],
  ])
})

const block = 5
const anyIds = fc
  .uniqueArray(fc.integer({ min: firstIdOf(block), max: firstIdOf(block + 1) - 1 }), { maxLength: 30 })
  .map((ids) => ids.sort((a, b) => a - b))

test('every id is in the block that begins at or before it, and in no other', () => {
  expect([0, 16_383, 16_384, 32_767, 32_768].map(blockOf)).toEqual([0, 0, 1, 1, 2])
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), (id) => {
      expect(firstIdOf(blockOf(id))).toBeLessThanOrEqual(id)
      expect(firstIdOf(blockOf(id) + 1)).toBeGreaterThan(id)
    }),
  )
})

test('blocks are joined and reduced like sets of ids', () => {
  fc.assert(
    fc.property(anyIds, anyIds, (a, b) => {
      const [one, two] = [packIds(a), packIds(b)]
      const sets = [new Set(a), new Set(b)] as const
      expect(new Set(unpackIds(block, mergePacked(block, one, two)))).toEqual(sets[0].union(sets[1]))
      expect([...unpackIds(block, withoutIds(block, one, two))]).toEqual([...sets[0].difference(sets[1])])
      expect(mergePacked(block, one, two)).toEqual(mergePacked(block, two, one))
    }),
  )
})

test('merged ids ascend without duplicates, however many lists they came from', () => {
  const lists = fc.array(fc.array(fc.nat(20), { maxLength: 8 }), { maxLength: 5 })
  fc.assert(
    fc.property(lists, (some) => {
      expect([...mergeIds(...some)]).toEqual([...new Set(some.flat())].sort((a, b) => a - b))
    }),
  )
})

test('no posting is lost on the way into blocks', () => {
  const posting = fc.record({ term: fc.constantFrom('tea', 'milk', 'rum'), id: fc.nat(50_000) })
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 40 }), (postings) => {
      const packer = createPacker()
      for (const { term, id } of postings) packer.add(term, id)
      const unpacked = [...packer.pack()].flatMap((row) =>
        [...unpackIds(row.block, row.ids)].map((id) => `${row.term} ${id}`),
      )
      expect(unpacked.sort()).toEqual([...new Set(postings.map(({ term, id }) => `${term} ${id}`))].sort())
    }),
  )
})
