import { expect, test } from 'vitest'
import { initialValues, toInput } from './embeddings.rules.ts'

test('the form starts from the current choice, and never shows the stored key', () => {
  const values = initialValues({
    provider: 'openai',
    model: 'my-model',
    url: 'https://ai.example/v1',
    hasKey: true,
  })
  expect(values.openai).toEqual({ url: 'https://ai.example/v1', model: 'my-model', key: '' })
  expect(values.ollama.url).toBe('http://127.0.0.1:11434')
  expect(initialValues(null).local.model).toBe('bge-small-en-v1.5')
})

test('a blank key keeps the stored one; spaces from pasting are dropped', () => {
  const server = { url: ' https://ai.example/v1 ', model: 'm', key: '  ' }
  expect(toInput('openai', server)).toEqual({ provider: 'openai', url: 'https://ai.example/v1', model: 'm' })
  expect(toInput('openai', { ...server, key: ' sk-1\n' })).toMatchObject({ key: 'sk-1' })
})

test('a local model is sent without an address or a key', () => {
  const values = { url: 'http://left.over', model: 'multilingual-e5-small', key: 'left over' }
  expect(toInput('local', values)).toEqual({ provider: 'local', model: 'multilingual-e5-small' })
})
