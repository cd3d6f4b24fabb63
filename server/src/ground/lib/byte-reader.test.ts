import { describe, expect, test } from 'vitest'
import { createByteReader } from './byte-reader.ts'

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
