import { expect, test } from 'vitest'
import { createSentPositions } from './sent-positions.ts'
import type { Target } from './targets.repo.ts'

const targetAt = (cursor: number) =>
  ({ id: 'whk_1', sources: [{ accountId: 1, spaceId: 1, name: 'default', cursor, newest: 9 }] }) as Target
const cursorOf = ({ sources }: Target) => sources[0]!.cursor

test('cursors advance to what was sent until all of it is stored', () => {
  const sent = createSentPositions()
  const storedFirst = sent.add('whk_1', new Map([[1, 4]]))
  const storedSecond = sent.add('whk_1', new Map([[1, 6]]))
  expect(cursorOf(sent.applyFromNow()(targetAt(2)))).toBe(6)
  expect(cursorOf(sent.applyFromNow()(targetAt(8)))).toBe(8)
  storedFirst()
  expect(cursorOf(sent.applyFromNow()(targetAt(4)))).toBe(6)
  storedSecond()
  expect(cursorOf(sent.applyFromNow()(targetAt(4)))).toBe(4)
})

test('a target read before its position was stored is advanced too', () => {
  const sent = createSentPositions()
  const stored = sent.add('whk_1', new Map([[1, 4]]))
  const moveUp = sent.applyFromNow()
  stored()
  expect(cursorOf(moveUp(targetAt(2)))).toBe(4)
})
