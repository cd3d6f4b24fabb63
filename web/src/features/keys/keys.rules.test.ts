import { expect, test } from 'vitest'
import { describeLastOperation, describePermissions, describeSpaces } from './keys.rules.ts'

test('the last call of a key is described in words', () => {
  expect(describeLastOperation({ type: 'query', resource: 'entity' })).toBe('Read entities')
  expect(describeLastOperation({ type: 'create', resource: 'observation' })).toBe('Created observations')
  expect(describeLastOperation({ type: 'query', resource: 'search' })).toBe('Searched')
  expect(describeLastOperation({ type: 'update', resource: 'some_thing' })).toBe('Changed some thing')
})

test('a key without a list may do everything that keys may', () => {
  expect(describePermissions([])).toBe('Read and write')
  expect(describePermissions(['memory:read', 'memory:write'])).toBe('Read and write')
  expect(describePermissions(['memory:read'])).toBe('Read only')
  expect(describePermissions(['memory:write'])).toBe('Write only')
})

test('spaces are named, and a key whose spaces are all gone says so', () => {
  const names = [
    { id: 'spc_1', name: 'default' },
    { id: 'spc_2', name: 'Work' },
  ]
  expect(describeSpaces(null, names)).toBe('All spaces')
  expect(describeSpaces(['spc_2', 'spc_1'], names)).toBe('Work, default')
  expect(describeSpaces(['spc_9'], names)).toBe('spc_9')
  expect(describeSpaces([], names)).toBe('None: they were deleted')
})
