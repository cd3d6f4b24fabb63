import { expect, test } from 'vitest'
import { readModelKind } from './model-kinds.ts'

test.each([
  ['all-minilm', 0.6],
  ['Xenova/bge-small-en-v1.5', 0.6],
  ['bge-m3', 1.2],
  ['BAAI/bge-large-en-v1.5', 1.2],
  ['text-embedding-3-small', 1.2],
  ['qwen3-embedding:0.6b', 1.2],
  ['somebodys-own-model', 0.6],
])('the meaning that %s finds weighs %d', (model, weight) => {
  expect(readModelKind(model).weight).toBe(weight)
})

test.each([
  ['nomic-embed-text:latest', 'search_query: ', 'search_document: '],
  ['Xenova/multilingual-e5-small', 'query: ', 'passage: '],
  ['bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', ''],
  ['bge-m3', '', ''],
])('%s reads its own words before a question and a text', (model, queryPrefix, passagePrefix) => {
  expect(readModelKind(model)).toMatchObject({ queryPrefix, passagePrefix })
})

test('512 dimensions are enough for models that can produce fewer', () => {
  expect(readModelKind('text-embedding-3-large').dimensions).toBe(512)
  expect(readModelKind('text-embedding-ada-002').dimensions).toBeUndefined()
})
