import { expect, test } from 'vitest'
import { conversationOf, toolTurn, turnOf } from '../../../test/conversations.ts'
import { splitAtRemovals } from '../../ui/removals.ts'
import {
  formatTook,
  groupConversations,
  groupTurns,
  isGoingOn,
  splitFacts,
  summarizeTools,
} from './conversations.rules.ts'
import { placeFacts } from './place-facts.ts'

test('the last day is not counted while it can have more', () => {
  const two = [
    conversationOf('a', { endedAt: '2026-01-05T12:00:00Z', facts: 2 }),
    conversationOf('b', { endedAt: '2026-01-04T12:00:00Z', facts: 1 }),
  ]
  const days = (hasMore: boolean) =>
    groupConversations(two, 'day', hasMore).flatMap((item) =>
      item.kind === 'group' ? [[item.facts, item.isWhole]] : [],
    )
  expect(days(true)).toEqual([
    [2, true],
    [1, false],
  ])
  expect(days(false)).toEqual([
    [2, true],
    [1, true],
  ])
})

test('a conversation is going on for two minutes after its last turn', () => {
  const now = Date.parse('2026-01-05T12:00:00Z')
  expect(isGoingOn(conversationOf('a', { endedAt: '2026-01-05T11:58:01Z' }), now)).toBe(true)
  expect(isGoingOn(conversationOf('a', { endedAt: '2026-01-05T11:57:59Z' }), now)).toBe(false)
})

test('tools between two things that were said are one block', () => {
  const blocks = groupTurns([turnOf(1, 'a'), toolTurn(2, 'Read'), toolTurn(3, 'Bash'), turnOf(4, 'b')])
  expect(blocks.map((block) => (block.kind === 'tools' ? block.turns.length : 'said'))).toEqual([
    'said',
    2,
    'said',
  ])
})

test('a tool failed if it says so, or by its exit code', () => {
  const tools = [
    toolTurn(1, 'Read', { files: ['a', 'b'] }),
    toolTurn(2, 'Edit', { files: ['a'], tool: { name: 'Edit', ok: false } }),
    toolTurn(3, 'Bash', { tool: { name: 'Bash', exitCode: 1 } }),
    toolTurn(4, 'Bash', { tool: { name: 'Bash', exitCode: 0 } }),
  ]
  expect(summarizeTools(tools)).toMatchObject({ tools: 4, failed: 2, files: 2, tookMs: 0 })
})

test.each([
  [0, undefined],
  [999, undefined],
  [38_000, '38 s'],
  [120_000, '2 min'],
  [3_600_000, '1 h'],
])('%i ms take %s', (ms, told) => {
  expect(formatTook(ms)).toBe(told)
})

test('only marks that the server writes are marks', () => {
  expect(splitAtRemovals('a [redacted: jwt] b')).toEqual([{ text: 'a ' }, { removed: 'jwt' }, { text: ' b' }])
  expect(splitAtRemovals('')).toEqual([{ text: '' }])
  expect(splitAtRemovals('[redacted: <b>]')).toEqual([{ text: '[redacted: <b>]' }])
})

test('facts stand in the order of their turns, and those of other turns apart', () => {
  const fact = (id: string, turnId?: string) => ({ id, source: { turnId } })
  const { shown, others } = splitFacts(
    [fact('late', 'trn_2'), fact('early', 'trn_1'), fact('gone', 'trn_9'), fact('none')],
    [turnOf(1, 'a'), turnOf(2, 'b')],
  )
  expect(shown.map(({ id }) => id)).toEqual(['early', 'late'])
  expect(others.map(({ id }) => id)).toEqual(['gone', 'none'])
})

test('a fact moves down only where the one above it needs the room', () => {
  const tops = placeFacts([
    { id: 'a', top: 10, height: 40 },
    { id: 'b', top: 20, height: 40 },
    { id: 'c', top: 300, height: 40 },
  ])
  expect([...tops.values()]).toEqual([10, 62, 300])
})
