import { expect, test } from 'vitest'
import { placeOfRedirect, wordsOfError, wordsOfScopes } from './connection-words.ts'

test('rights are named in a word', () => {
  expect(wordsOfScopes(['memory:read', 'memory:write'])).toBe('Read and write')
  expect(wordsOfScopes(['memory:read'])).toBe('Read only')
  expect(wordsOfScopes(['memory:write'])).toBe('Write only')
})

test('the destination of an answer is named by host, or by the scheme of a program', () => {
  expect(placeOfRedirect('https://claude.ai/api/callback')).toEqual({
    host: 'claude.ai',
    isThisComputer: false,
    isProgram: false,
  })
  expect(placeOfRedirect('http://127.0.0.1:4000/cb')).toMatchObject({
    host: '127.0.0.1:4000',
    isThisComputer: true,
  })
  expect(placeOfRedirect('cursor://anysphere/callback')).toMatchObject({ host: 'cursor', isProgram: true })
})

test('a person who is sent here too often reads that waiting helps', () => {
  expect(wordsOfError('rate_limited')).toContain('Wait a minute')
})

test('an unknown error code is never shown', () => {
  expect(wordsOfError('<script>')).not.toContain('script>')
})
