import { expect, test } from 'vitest'
import { holdsWords, isNamedBy } from './palette-match.ts'

test('words match as prefixes, in any order', () => {
  expect(holdsWords('Create relation new add link', 'link new')).toBe(true)
  expect(holdsWords('Create relation', 'rela')).toBe(true)
  expect(holdsWords('Create relation', 'lation')).toBe(false)
})

test('a command is named by its beginning or by several of its words', () => {
  expect(isNamedBy('Log out', 'log o')).toBe(true)
  expect(isNamedBy('Use the dark theme', 'dark theme')).toBe(true)
  expect(isNamedBy('Billing', 'bill')).toBe(true)
  expect(isNamedBy('Import memory', 'memory'), 'as likely the name of an entity').toBe(false)
  expect(isNamedBy('History', 'h')).toBe(false)
  expect(isNamedBy('Dashboard', '')).toBe(false)
})
