import { expect, test } from 'vitest'
import { createRandom, pick } from '../../../test/random.ts'
import { findChunks } from './find-chunks.ts'

test('a text of ASCII is read like one of other letters', () => {
  const random = createRandom(11)
  const characters = [...'aZ09_ .-:,&/\\@\'#+*?!()\n\t"']
  for (let round = 0; round < 5_000; round += 1) {
    const text = Array.from({ length: Math.floor(random() * 40) }, () => pick(random, characters)).join('')
    const { starts, ends, hashes } = findChunks(`${text} ü`)
    const all = findChunks(text)
    expect(all, JSON.stringify(text)).toEqual({
      starts: starts.slice(0, -1),
      ends: ends.slice(0, -1),
      hashes: hashes.slice(0, -1),
    })
  }
})
