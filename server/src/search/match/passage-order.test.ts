import { describe, expect, test } from 'vitest'
import type { Passage } from './count-words.ts'
import { createPassageOrder } from './passage-order.ts'

const passage = (observationId: number, entityId = 1) =>
  ({ observationId, entityId, position: -1 }) as Passage
/** Passages of observations, by number; `parts` of them each. */
const textsOf = (ids: readonly number[], parts = 1) =>
  new Map(ids.map((id) => [id, Array.from({ length: parts }, () => passage(id))]))
const positionsOf = (texts: ReadonlyMap<number, readonly Passage[]>) =>
  [...texts].map(([id, passages]) => [id, ...passages.map(({ position }) => position)])

describe('the places of passages', () => {
  test('follow one another where nothing lies between, in the order of observations', () => {
    const texts = textsOf([7, 3, 5])
    const places = createPassageOrder(texts, new Map())
    places.add(1, [3, 5, 7])
    places.settle()
    expect(positionsOf(texts)).toEqual([
      [7, 2],
      [3, 0],
      [5, 1],
    ])
  })

  test('are far apart where it is not known what lies between', () => {
    const texts = textsOf([3, 50])
    const places = createPassageOrder(texts, new Map())
    places.add(1, [3])
    places.add(1, [50])
    places.settle()
    const [[, near], [, far]] = positionsOf(texts) as [[number, number], [number, number]]
    expect(far - near).toBeGreaterThanOrEqual(1_000)
  })

  test('count the passages of a long observation, read or not', () => {
    const texts = new Map([...textsOf([1], 3), ...textsOf([2]), ...textsOf([4])])
    const places = createPassageOrder(texts, new Map([[3, 4]]))
    places.add(1, [1, 2, 3, 4])
    places.settle()
    expect(positionsOf(texts)).toEqual([
      [1, 0, 1, 2],
      [2, 3],
      [4, 9],
    ])
  })

  test('of one entity know nothing of another', () => {
    const texts = new Map([...textsOf([1]), [2, [passage(2, 2)]], ...textsOf([3])])
    const places = createPassageOrder(texts, new Map())
    places.add(1, [1, 3])
    places.add(2, [2])
    places.settle()
    expect(positionsOf(texts)).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
    ])
  })

  test('are settled anew when more is known', () => {
    const texts = textsOf([1, 9])
    const places = createPassageOrder(texts, new Map())
    places.add(1, [1])
    places.add(1, [9])
    places.settle()
    expect(texts.get(9)![0]!.position).toBeGreaterThan(100)
    places.add(1, [1, 4, 9])
    places.settle()
    expect(texts.get(9)![0]!.position).toBe(2)
  })
})

describe('what is not known yet', () => {
  const unknown = (ids: readonly number[], known: readonly (readonly number[])[] = []) => {
    const places = createPassageOrder(new Map(), new Map())
    for (const chain of known) places.add(1, chain)
    return places.listUnknown(ids.map((id) => passage(id))).map(({ id }) => id)
  }

  test('is nothing for numbers in a row, which leave room for nothing', () => {
    expect(unknown([4, 5, 6])).toEqual([])
  })

  test('is what follows each observation that has a gap after it', () => {
    expect(unknown([4, 8, 9, 20])).toEqual([4, 9])
  })

  test('is nothing where a chain leads to the next one, or past as many as count', () => {
    expect(unknown([4, 8], [[4, 6, 8]])).toEqual([])
    expect(unknown([4, 40], [[4, 6, 8, 10]])).toEqual([])
    expect(unknown([4, 40], [[4, 6, 8]])).toEqual([4])
  })

  test('is asked once for each observation, however many passages it has', () => {
    expect(unknown([4, 4, 8, 8])).toEqual([4])
  })

  test('is nothing for the last one, and for none', () => {
    expect(unknown([4])).toEqual([])
    expect(unknown([])).toEqual([])
  })
})
