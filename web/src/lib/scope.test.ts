import { afterEach, expect, test, vi } from 'vitest'
import { queryKeys } from './query-keys.ts'
import { currentScope, scopeHeaders, scopeOf, setScope, subscribeToScope } from './scope.ts'

afterEach(() => setScope({}))

test('the address names account and space; without names the server chooses', () => {
  expect(scopeOf('')).toEqual({})
  expect(scopeOf('?space=&type=person')).toEqual({})
  expect(scopeOf('?space=Work%20notes&account=acc_1')).toEqual({ space: 'Work notes', account: 'acc_1' })
  expect(scopeHeaders()).toEqual({})
})

test('every call names the space, whatever its characters', () => {
  setScope({ space: 'Work notes', account: 'acc_1' })
  expect(scopeHeaders()).toEqual({ 'loci-account': 'acc_1', 'loci-space': 'Work notes' })
  setScope({ space: '100%' })
  expect(scopeHeaders()).toEqual({ 'loci-space': '100%25' })
  setScope({ space: 'Büro' })
  expect(new Headers(scopeHeaders()).get('loci-space')).toBe('B%C3%BCro')
})

test('keys begin with account and space, but those of an account with the account alone', () => {
  const before = { entity: queryKeys.entity('e'), plans: queryKeys.plans() }
  setScope({ space: 'spc_2' })
  expect(queryKeys.entity('e')).toEqual(['', 'spc_2', 'entities', 'one', 'e'])
  expect(queryKeys.entity('e').slice(0, 2)).toEqual(queryKeys.space())
  expect(queryKeys.entity('e')).not.toEqual(before.entity)
  expect(queryKeys.plans()).toEqual(before.plans)
  setScope({ account: 'acc_2' })
  expect(queryKeys.plans()).not.toEqual(before.plans)
})

test('an unchanged scope is the same object and notifies nobody', () => {
  setScope({ space: 'spc_2' })
  const scope = currentScope()
  const listener = vi.fn()
  const stop = subscribeToScope(listener)
  setScope({ space: 'spc_2' })
  expect(currentScope()).toBe(scope)
  expect(listener).not.toHaveBeenCalled()
  setScope({})
  expect(listener).toHaveBeenCalledOnce()
  stop()
})
