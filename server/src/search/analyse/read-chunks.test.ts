import { expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { readChunks } from './analyser.ts'
import { findChunks } from './find-chunks.ts'
import { readChunk } from './words.ts'

test('a chunk is read as it stands in the text, whatever was read before', () => {
  const random = createRandom(5)
  // More distinct chunks than the cache holds, some of them frequent.
  const anyChunk = () => `w${Math.floor(120_000 ** random())}`
  for (let round = 0; round < 20_000; round += 1) {
    const words = Array.from({ length: 10 }, anyChunk)
    const text = words.join(' ')
    const { chunks } = readChunks(text, findChunks(text), 'en')
    expect(chunks.map((chunk) => chunk.text)).toEqual(words)
    const own = chunks[round % 10]!
    expect(own).toEqual(readChunk(own.text, 'en'))
  }
})

test('each language reads separately', () => {
  const termsIn = (language: 'en' | 'de') =>
    readChunks('Häuser', findChunks('Häuser'), language).chunks.flatMap(({ units }) => units[0]?.term)
  expect([termsIn('de'), termsIn('en'), termsIn('de')]).toEqual([['haus'], ['hauser'], ['haus']])
})
