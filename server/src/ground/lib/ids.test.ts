import { describe, expect, it } from 'vitest'
import { compareIds, toId, toNumber } from './ids.ts'

const numbers = [1, 9, 10, 31, 32, 33, 1023, 1024, 124_480, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]

describe('ids of numbers', () => {
  it('are short, and lead back to the number', () => {
    expect(toId('ent', 124_480)).toBe('ent_3sj0')
    for (const number of numbers) expect(toNumber('obs', toId('obs', number))).toBe(number)
  })

  it('are read in one form only', () => {
    const others = [
      '',
      'ent',
      'ent_',
      'ent_0',
      'ent_01',
      'ent_1 ',
      ' ent_1',
      'ENT_1',
      'ent_A',
      'ent_i',
      'ent_l',
      'ent_o',
      'ent_u',
      'ent_-1',
      'ent_1.5',
      'rel_1',
      'ent_é',
      'ent_80000000000',
      'ent_zzzzzzzzzzz',
      'ent_111111111111',
      'ent_01jd3v8y6zq4n5kx2m7c9w0abc',
    ]
    for (const id of others) expect([id, toNumber('ent', id)]).toEqual([id, undefined])
  })

  it('are ordered by their numbers', () => {
    const ids = numbers.map((number) => toId('rel', number))
    expect(ids.toReversed().sort(compareIds)).toEqual(ids)
    expect(compareIds('rel_1', 'rel_1')).toBe(0)
  })
})
