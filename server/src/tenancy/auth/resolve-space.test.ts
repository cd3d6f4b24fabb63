import { describe, expect, test } from 'vitest'
import { toId } from '../../ground/lib/ids.ts'
import type { Caller } from './actor.ts'
import { findSpace, reaches } from './resolve-space.ts'

const caller: Caller = { accountId: 1, kind: 'api_key', userId: 'usr_1', role: 'owner' }

describe('a space', () => {
  const spaces = [
    { spaceId: 1, name: 'default' },
    { spaceId: 40, name: 'Work' },
    { spaceId: 41, name: 'spc_1' },
  ]

  test('is found by its id or its name', () => {
    expect(findSpace(spaces, toId('spc', 40))?.name).toBe('Work')
    expect(findSpace(spaces, 'Work')?.spaceId).toBe(40)
  })

  test('is found by its id before another with that id as its name', () => {
    expect(findSpace(spaces, 'spc_1')?.spaceId).toBe(1)
    expect(findSpace(spaces.slice(1), 'spc_1')).toBeUndefined()
  })

  test.each(['work', 'Work ', '', '40', 'spc_', 'spc_0', toId('spc', 2), toId('ent', 40)])(
    'is not found by %j',
    (text) => expect(findSpace(spaces, text)).toBeUndefined(),
  )
})

describe('credentials', () => {
  test('without a list of spaces reach all of them', () => {
    expect(reaches(caller, 1)).toBe(true)
    expect(reaches(caller, 999)).toBe(true)
  })

  test('reach only the spaces in their list', () => {
    const limited = { ...caller, spaces: [2, 3] }
    expect([1, 2, 3, 4].filter((space) => reaches(limited, space))).toEqual([2, 3])
    expect(reaches({ ...caller, spaces: [] }, 1)).toBe(false)
  })
})
