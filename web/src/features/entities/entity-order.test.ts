import { expect, test } from 'vitest'
import { isAscending, sortOf, toggleSort, withSort } from './entity-order.ts'

test('the default is newest first; a search has its own order, and so has the past', () => {
  expect(sortOf({})).toBe('newest')
  expect(sortOf({ query: 'ada' })).toBeUndefined()
  expect(sortOf({ query: 'ada', sort: 'name' })).toBe('name')
  expect(sortOf({ sort: 'name', asOf: '42' })).toBe('newest')
  expect(sortOf({ sort: 'colour' })).toBe('newest')
})

test('the default order leaves no trace in the address', () => {
  expect(withSort({ type: 'person', sort: 'name', order: 'desc' }, 'newest')).toEqual({ type: 'person' })
  expect(withSort({ query: 'ada' }, 'newest')).toEqual({ query: 'ada', sort: 'newest' })
  expect(withSort({ query: 'ada', sort: 'name' }, undefined)).toEqual({ query: 'ada' })
})

test('a second click on a column reverses it, a third reverses it again', () => {
  const once = toggleSort({}, 'name')
  expect([once, isAscending(once, 'name')]).toEqual([{ sort: 'name' }, true])
  const twice = toggleSort(once, 'name')
  expect([twice.order, isAscending(twice, 'name')]).toEqual(['desc', false])
  expect(toggleSort(twice, 'name')).toEqual({ sort: 'name' })
  expect(toggleSort({}, 'newest')).toEqual({ sort: 'newest', order: 'asc' })
})
