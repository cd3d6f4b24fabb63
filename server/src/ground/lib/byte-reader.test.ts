import { describe, expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { createByteReader } from './byte-reader.ts'
import { joinBuffers, joinPieces } from './join-pieces.ts'

async function* streamOf(...pieces: string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece)
}

describe('a byte reader', () => {
  test('returns exactly the bytes asked for, across pieces, and fewer only at the end', async () => {
    const reader = createByteReader(streamOf('ab', '', 'cdef', 'g'))
    const read = async (bytes: number) => (await reader.read(bytes)).toString()
    expect([await read(3), await read(0), await read(1), await read(10), await read(1)]).toEqual([
      'abc',
      '',
      'd',
      'efg',
      '',
    ])
  })

  test('returns a line without its break, and continues after it', async () => {
    const reader = createByteReader(streamOf('he', 'ad\nbo', 'dy'))
    expect(await reader.readLine(10)).toBe('head')
    expect((await reader.read(10)).toString()).toBe('body')
  })

  test('returns no line that is too long or has no end, and consumes nothing then', async () => {
    const reader = createByteReader(streamOf('head\n'))
    expect(await reader.readLine(4)).toBeUndefined()
    expect(await reader.readLine(5)).toBe('head')
    expect(await reader.readLine(5)).toBeUndefined()
  })
})

test('joined pieces hold everything in order, and only the last is short', async () => {
  const bytes = await arrayOf(joinBuffers(streamOf('a', 'bc', 'defgh', 'i'), 3))
  expect(bytes.map(String)).toEqual(['abc', 'defgh', 'i'])
  async function* texts() {
    yield* ['a', '', 'b', 'c', 'd', '']
  }
  expect(await arrayOf(joinPieces(texts(), 2))).toEqual(['ab', 'cd'])
  expect(await arrayOf(joinBuffers(streamOf(''), 1))).toEqual([])
})
