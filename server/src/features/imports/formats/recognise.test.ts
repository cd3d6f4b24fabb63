import { expect, test } from 'vitest'
import { readExport } from '../../../../test/source-files.ts'

const chat = [{ title: 'T', mapping: { a: { message: null } } }]

test.each([
  ['nothing', {}],
  ['an empty file', { 'a.json': ' \n' }],
  ['a number', { 'a.json': '5' }],
  ['settings', { 'a.json': { theme: 'dark' } }],
  ['a list of texts', { 'a.json': ['a', 'b'] }],
])('%s is of no known format', async (_, files) => {
  expect(await readExport(files)).toBeUndefined()
})

test('JSON after a byte order mark and blanks is recognised', async () => {
  expect(await readExport({ 'c.json': `\ufeff\n ${JSON.stringify(chat)}` })).toMatchObject({
    format: 'chatgpt',
  })
})

test("a program's export takes precedence over notes beside it", async () => {
  expect(await readExport({ 'README.md': '# About', 'c.json': chat })).toMatchObject({
    format: 'chatgpt',
    unused: ['README.md'],
  })
})

test('the first object of a list is found behind a few other values', async () => {
  const memory = { id: 'm', memory: 'Likes tea' }
  expect(await readExport({ 'a.json': { version: 1, tags: ['x'], results: [memory] } })).toMatchObject({
    format: 'mem0',
  })
  const manyTags = Array.from({ length: 60 }, (_, number) => `tag ${number}`)
  expect(await readExport({ 'a.json': { tags: manyTags, results: [memory] } })).toBeUndefined()
})

test('broken JSON is refused with its file if there is nothing else', async () => {
  await expect(readExport({ 'a.json': '[nonsense' })).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('a.json'),
  })
  expect(await readExport({ 'a.json': '[nonsense', 'b.md': 'A fact' })).toMatchObject({
    format: 'markdown',
    unused: ['a.json'],
  })
})
