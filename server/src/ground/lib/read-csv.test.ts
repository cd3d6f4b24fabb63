import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { toCsvLine } from './csv.ts'
import { readCsv } from './read-csv.ts'

async function read(text: string): Promise<string[][]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += 3) yield text.slice(at, at + 3)
  }
  return arrayOf(readCsv(pieces(), 10_000))
}

test('rows are read as in RFC 4180', async () => {
  expect(await read('a,b\r\n"x, ""y""\nz",\r\n\r\n1,"2"')).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', ''],
    ['1', '2'],
  ])
  await expect(read('"open')).rejects.toThrow('ends within a quoted field')
})

test('any row of texts comes out as it went in', async () => {
  const plain = fc
    .string()
    .filter((text) => toCsvLine([text, '']).replaceAll('"', '').startsWith(text.replaceAll('"', '')))
  await fc.assert(
    fc.asyncProperty(fc.array(plain, { minLength: 2 }), async (row) => {
      expect(await read(toCsvLine(row))).toEqual([row])
    }),
    { numRuns: 50 },
  )
})
