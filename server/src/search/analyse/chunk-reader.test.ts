import { expect, test } from 'vitest'
import { createChunkReader } from './find-chunks.ts'
import type { Language } from './languages.ts'

/** A reader that notes what it could not find in its cache. */
function createCounted() {
  const read: string[] = []
  const reader = createChunkReader((text: string, language: Language) => {
    read.push(`${language} ${text}`)
    return { text, language }
  })
  /** Reads a text as one chunk with this hash. */
  const ask = (text: string, { hash = 1, language = 'en' as Language } = {}) =>
    reader.readOne(text, 0, text.length, hash, language)
  return { ...reader, read, ask }
}

test('a chunk is read once', () => {
  const { ask, read } = createCounted()
  expect(ask('porto')).toBe(ask('porto'))
  expect(read).toEqual(['en porto'])
})

test('a chunk is read once for each language', () => {
  const { ask, read } = createCounted()
  for (const language of ['en', 'de', 'en', 'de'] as const)
    expect(ask('haus', { language })).toEqual({ text: 'haus', language })
  expect(read).toEqual(['en haus', 'de haus'])
})

test('chunks that share a hash are not mistaken for each other', () => {
  const { ask } = createCounted()
  for (const text of ['lima', 'rome', 'lima', 'romes', 'rom', 'lima', 'rome'])
    expect(ask(text).text).toBe(text)
})

test('a frequent chunk stays while many with its hash pass through', () => {
  const { ask, read } = createCounted()
  ask('often')
  ask('often')
  for (let i = 0; i < 20; i++) ask(`rare${i}`)
  ask('often')
  expect(read.filter((chunk) => chunk === 'en often')).toHaveLength(1)
})

test('a rare chunk makes room for the next with its hash', () => {
  const { ask, read } = createCounted()
  ask('rare')
  ask('other')
  ask('rare')
  expect(read).toEqual(['en rare', 'en other', 'en rare'])
})

test('the four most frequent chunks of a hash are all kept', () => {
  const { ask, read } = createCounted()
  const words = ['one', 'two', 'three', 'four']
  for (const word of words) for (let i = 0; i < 5; i++) ask(word)
  read.length = 0
  for (const word of words) ask(word)
  expect(read).toEqual([])
})

test('a chunk too long for a word is read each time', () => {
  const { ask, read } = createCounted()
  for (const length of [40, 40, 41, 41]) ask('x'.repeat(length))
  expect(read.map((chunk) => chunk.length - 'en '.length)).toEqual([40, 41, 41])
})

test('a text is read chunk by chunk, each from its position', () => {
  const { readAll, read } = createCounted()
  const text = 'Go, dog. Go!'
  const found = { starts: [0, 4, 9], ends: [2, 7, 11], hashes: [11, 12, 11] }
  expect(readAll(text, found, 'en').map((chunk) => chunk.text)).toEqual(['Go', 'dog', 'Go'])
  expect(read).toEqual(['en Go', 'en dog'])
})

test('a chunk is the one at its position, not one that begins alike', () => {
  const { readOne } = createCounted()
  const text = 'catalogue cat'
  expect(readOne(text, 0, 9, 5, 'en').text).toBe('catalogue')
  expect(readOne(text, 10, 13, 5, 'en').text).toBe('cat')
  expect(readOne(text, 0, 3, 5, 'en').text).toBe('cat')
})
