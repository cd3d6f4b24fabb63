import { expect, test } from 'vitest'
import { fromListParam, parseSearch, stringifySearch, toListParam } from './search-params.ts'

test('a list comes back from the address as it went in, commas and percent signs too', () => {
  const items = ['person', 'a, b', '100%', 'שלום', 'x&y=z']
  const search = stringifySearch({ hidden: toListParam(items), limit: '500' })
  expect(search).toContain('hidden=person,')
  expect(fromListParam(parseSearch(search).hidden)).toEqual(items)
})

test('an empty list leaves no trace, and an invalid one does no harm', () => {
  expect(stringifySearch({ hidden: toListParam([]) })).toBe('')
  expect(fromListParam(undefined)).toEqual([])
  expect(fromListParam('%E0%A4%A,,a,a')).toEqual(['%E0%A4%A', 'a'])
})
