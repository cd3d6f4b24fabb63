import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonItem, readJsonItems } from './json-items.ts'

const bounds = { itemBytesMax: 1_000, depthMax: 20 }

async function read(text: string, pieceBytes = 7): Promise<JsonItem[]> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const items: JsonItem[] = []
  for await (const item of readJsonItems(pieces(), bounds)) items.push(item)
  return items
}

test('a list comes one item at a time, however it is split', async () => {
  const list = [1, 'a "b" \\ ]', { deep: [[{ x: '}' }]], y: null }, [], true, 'ü🧠']
  for (const pieceBytes of [1, 2, 3, 5, 100]) {
    const items = await read(`\uFEFF ${JSON.stringify(list, null, 2)}\n`, pieceBytes)
    expect(items).toEqual(list.map((value, index) => ({ key: undefined, index, value })))
  }
})

test('an object comes with the items of its lists, and its other values whole', async () => {
  const text = '{"count": 2, "results": [{"a": 1}, {"b": [2]}], "none": [], "at": {"x": [1]}, "next": null}'
  for (const pieceBytes of [1, 4, 100]) {
    expect(await read(text, pieceBytes)).toEqual([
      { key: 'count', index: undefined, value: 2 },
      { key: 'results', index: 0, value: { a: 1 } },
      { key: 'results', index: 1, value: { b: [2] } },
      { key: 'at', index: undefined, value: { x: [1] } },
      { key: 'next', index: undefined, value: null },
    ])
  }
})

test('any list of values comes out as it went in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 4 })),
      fc.integer({ min: 1, max: 9 }),
      async (list, n) => {
        const items = await read(JSON.stringify(list), n)
        expect(items.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(list)))
      },
    ),
    { numRuns: 100 },
  )
})

test.each([
  ['[1, 2', 'ends too early'],
  ['', 'ends too early'],
  ['"text"', 'is not a JSON list or object'],
  ['7', 'is not a JSON list or object'],
  ['[1 2]', 'is not valid JSON'],
  ['[1,,2]', 'is not valid JSON'],
  ['{"a" 1}', 'is not valid JSON'],
  ['[{]}]', 'is not valid JSON'],
  ['[1] 2', 'goes on after its end'],
  [`${'['.repeat(30)}${']'.repeat(30)}`, 'is nested deeper than 20 levels'],
  [JSON.stringify(['x'.repeat(2_000)]), 'has an entry larger than'],
])('%s is refused', async (text, message) => {
  await expect(read(text, 100)).rejects.toThrow(message)
})
