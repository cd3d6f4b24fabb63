import type { Change } from '@loci/contract/changes'
import { describe, expect, test } from 'vitest'
import { diffWording } from '../../lib/wording-diff.ts'
import { groupCalls, groupDays } from './group-calls.ts'

const change = (seq: number, setId: string, at: string): Change => ({
  seq,
  setId,
  at,
  actor: { kind: 'session', id: 'usr_1', name: 'Ada' },
  operation: 'observation_added',
  subject: { kind: 'observation', id: `obs_${seq}` },
  before: null,
  after: { content: 'x' },
})

describe('groupCalls', () => {
  test('has the changes of a call in the order in which they happened, and the newest call first', () => {
    const calls = groupCalls([
      change(4, 'set_3', '2026-11-22T10:00:00Z'),
      change(3, 'set_3', '2026-11-22T10:00:00Z'),
      change(2, 'set_1', '2026-11-21T10:00:00Z'),
      change(1, 'set_1', '2026-11-21T10:00:00Z'),
    ])
    expect(calls.map(({ setId, changes }) => [setId, changes.map(({ seq }) => seq)])).toEqual([
      ['set_3', [3, 4]],
      ['set_1', [1, 2]],
    ])
    expect(groupDays(calls).map(({ calls: ofDay }) => ofDay.length)).toEqual([1, 1])
  })
})

describe('diffWording', () => {
  test.each([
    ['01:00 to 02:00 UTC.', '01:00 to 02:30 UTC.', ['=01:00 to ', '-02:00 ', '+02:30 ', '=UTC.']],
    ['a b', 'a b c', ['=a ', '-b', '+b c']],
    ['same', 'same', ['=same']],
    ['', 'new', ['+new']],
    ['x x', 'x', ['-x ', '=x']],
  ])('%j becomes %j', (before, after, pieces) => {
    const signs = { same: '=', removed: '-', added: '+' }
    expect(diffWording(before, after).map(({ kind, text }) => signs[kind] + text)).toEqual(pieces)
  })
})
