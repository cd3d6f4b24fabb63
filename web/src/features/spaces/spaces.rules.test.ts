import type { Space } from '@loci/contract/spaces'
import { expect, test } from 'vitest'
import { spaceOf } from '../../lib/space-of.ts'
import { addressOf, pageInOtherSpace } from './spaces.rules.ts'

const space = (id: string, name: string): Space => ({
  id,
  name,
  entities: 0,
  relations: 0,
  observations: 0,
  writes: 'direct',
  autoAcceptDays: null,
  reviewers: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  keepsRecalls: true,
  countsTold: false,
  conversationDays: null,
})
const main = space('spc_1', 'default')
const work = space('spc_2', 'Work')

test('an address names a space by id or name; without one it is the default', () => {
  expect(spaceOf([work, main], undefined)).toBe(main)
  expect(spaceOf([main, work], 'spc_2')).toBe(work)
  expect(spaceOf([main, work], 'Work')).toBe(work)
  expect(spaceOf([main, work], 'Gone')).toBeUndefined()
})

test('the default space needs no name, unless it is called something else', () => {
  expect(addressOf(main, [main, work])).toBeUndefined()
  expect(addressOf(work, [main, work])).toBe('spc_2')
  const renamed = space('spc_1', 'Home')
  expect(spaceOf([renamed, work], undefined)).toBe(renamed)
  expect(addressOf(renamed, [renamed, work])).toBe('spc_1')
})

test('an entity of one space is not looked up in another', () => {
  expect(pageInOtherSpace('/entities/ent_1')).toBe('/entities')
  expect(pageInOtherSpace('/graph')).toBe('/graph')
})
