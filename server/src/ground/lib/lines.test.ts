import { expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { type Line, type LineStart, type ReadableFile, readLines } from './lines.ts'

/** A file whose reads return at most that many bytes. */
function fileOf(bytes: Buffer, perRead: number): ReadableFile {
  return {
    async read(buffer, offset, length, position) {
      const bytesRead = bytes.copy(buffer, offset, position, position + Math.min(length, perRead))
      return { bytesRead, buffer }
    },
  }
}

const first: LineStart = { offset: 0, line: 1 }
const linesOf = (text: string | Buffer, { perRead = 1_000, from = first, bytesMax = 10 } = {}) =>
  arrayOf(readLines(fileOf(Buffer.from(text), perRead), from, bytesMax))
const textsOf = (lines: Line[]) => lines.map(({ text }) => text)

test.each([1, 2, 3, 1_000])('lines are the same however reads split them, %i bytes each', async (perRead) => {
  const lines = await linesOf('aé\n\nlast', { perRead })
  expect(lines).toEqual([
    { text: 'aé', start: { offset: 0, line: 1 }, next: { offset: 4, line: 2 } },
    { text: '', start: { offset: 4, line: 2 }, next: { offset: 5, line: 3 } },
    { text: 'last', start: { offset: 5, line: 3 }, next: { offset: 9, line: 4 } },
  ])
})

test('a file that ends with a line break has no further line, and an empty one has none', async () => {
  expect(textsOf(await linesOf('a\n'))).toEqual(['a'])
  expect(await linesOf('')).toEqual([])
})

test('reading continues from where any line ended', async () => {
  const all = await linesOf('one\ntwo\nthree')
  for (const [i, { next }] of all.entries()) {
    expect(await linesOf('one\ntwo\nthree', { from: next })).toEqual(all.slice(i + 1))
  }
})

test.each([1, 4, 1_000])('a line over the limit is skipped, the next ones are not (%i)', async (perRead) => {
  const text = `${'x'.repeat(10)}\n${'x'.repeat(11)}\nafter\n${'x'.repeat(30)}`
  expect(textsOf(await linesOf(text, { perRead }))).toEqual(['x'.repeat(10), undefined, 'after', undefined])
})

test('a line that is not UTF-8 is marked, and its neighbours are read', async () => {
  const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0x0a]), Buffer.from('b')])
  expect(textsOf(await linesOf(bytes))).toEqual(['a', undefined, 'b'])
})
