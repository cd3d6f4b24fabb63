import { expect, test } from 'vitest'
import { doorInto, isWider } from './doors.rules.ts'

const space = { id: 'spc_1', writes: 'direct' } as const
const whole = { rights: [], writes: 'direct', spaces: null } as const

test('a door is as wide as the rights and the policies of key and space allow', () => {
  expect(doorInto(space, whole)).toBe('write')
  expect(doorInto(space, { ...whole, writes: 'propose' })).toBe('propose')
  expect(doorInto({ ...space, writes: 'propose' }, whole)).toBe('propose')
  expect(doorInto(space, { ...whole, rights: ['memory:read'] })).toBe('read')
  expect(doorInto(space, { ...whole, rights: ['conversations:read'] })).toBe('none')
  expect(doorInto(space, { ...whole, spaces: ['spc_2'] })).toBe('none')
  expect(doorInto(space, { ...whole, spaces: ['spc_1'] })).toBe('write')
})

test('a door of its own counts instead of what the key may elsewhere', () => {
  const reading = { ...whole, rights: ['memory:read'] }
  expect(doorInto(space, { ...whole, doors: { spc_1: 'none' } })).toBe('none')
  expect(doorInto(space, { ...whole, doors: { spc_1: 'read' } })).toBe('read')
  expect(doorInto(space, { ...reading, doors: { spc_1: 'write' } })).toBe('write')
  expect(doorInto(space, { ...whole, writes: 'propose', doors: { spc_1: 'write' } })).toBe('write')
  expect(doorInto(space, { ...whole, doors: { spc_2: 'none' } })).toBe('write')
  expect(isWider('write', 'propose')).toBe(true)
  expect(isWider('none', 'read')).toBe(false)
})
