import { expect, test } from 'vitest'
import { createPacker, mergeIds, mergePacked, packIds, unpackIds, withoutIds } from './packed-ids.ts'

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

test('lists are brought together, each id once', () => {
  expect([...mergeIds()]).toEqual([])
  expect([...mergeIds([1, 2, 2, 5], [6])]).toEqual([1, 2, 5, 6])
  expect([...mergeIds(Uint32Array.of(7, 9), [2, 9], [4_294_967_295, 1])]).toEqual([1, 2, 7, 9, 4_294_967_295])
})

test('a block takes ids between those that it has, and gives some up', () => {
  const packed = mergePacked(1, packIds([16_384, 16_390]), packIds([16_386, 16_390, 17_000]))
  expect([...unpackIds(1, packed)]).toEqual([16_384, 16_386, 16_390, 17_000])
  expect([...unpackIds(1, withoutIds(1, packed, packIds([16_386, 16_999])))]).toEqual([
    16_384, 16_390, 17_000,
  ])
  expect(withoutIds(1, packIds([16_384]), packIds([16_384]))).toHaveLength(0)
})

test('postings are put together by term and block', () => {
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
