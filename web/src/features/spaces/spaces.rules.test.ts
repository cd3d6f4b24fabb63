import { expect, test } from 'vitest'
import { spaceNamed } from '../../../test/spaces.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { addressOf, pageInOtherSpace } from './spaces.rules.ts'

const main = spaceNamed('default', 'spc_1')
const work = spaceNamed('Work', 'spc_2')

test('an address names a space by id or name; without one it is the default', () => {
  expect(spaceOf([work, main], undefined)).toBe(main)
  expect(spaceOf([main, work], 'spc_2')).toBe(work)
  expect(spaceOf([main, work], 'Work')).toBe(work)
  expect(spaceOf([main, work], 'Gone')).toBeUndefined()
})

test('the default space needs no name, unless it is called something else', () => {
  expect(addressOf(main, [main, work])).toBeUndefined()
  expect(addressOf(work, [main, work])).toBe('spc_2')
  const renamed = spaceNamed('Home', 'spc_1')
  expect(spaceOf([renamed, work], undefined)).toBe(renamed)
  expect(addressOf(renamed, [renamed, work])).toBe('spc_1')
})

test('an entity of one space is not looked up in another', () => {
  expect(pageInOtherSpace('/entities/ent_1')).toBe('/entities')
  expect(pageInOtherSpace('/graph')).toBe('/graph')
})
