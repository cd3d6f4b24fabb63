import type { GraphEvent } from '@loci/contract/realtime'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isOwnChange, markOwnBatch, markOwnChange, markOwnDeletion } from './own-changes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
})

const event = (type: GraphEvent['type'], payload: object) =>
  ({ id: 'evt_1', type, payload, timestamp: '', seq: 1 }) as GraphEvent
const updated = (id: string) => event('entity_updated', { id, name: 'Ada', type: 'person' })
const observed = (entityId: string) => event('observation_added', { entityId, observationId: 'obs_1' })
const unrelated = event('relation_deleted', { relationId: 'rel_1' })

test("this tab's changes are its own for ten seconds, by whatever name an event has for them", () => {
  markOwnChange('ent_1')
  expect([updated('ent_1'), observed('ent_1'), updated('ent_2')].map(isOwnChange)).toEqual([
    true,
    true,
    false,
  ])
  vi.advanceTimersByTime(10_001)
  expect(isOwnChange(updated('ent_1')), 'somebody else edits it later').toBe(false)
})

test('a deletion includes its relations, for as long as their events may take', () => {
  expect(isOwnChange(unrelated)).toBe(false)
  markOwnDeletion('ent_1')
  expect(isOwnChange(event('entity_deleted', { entityId: 'ent_1', name: 'Ada' }))).toBe(true)
  expect(isOwnChange(unrelated)).toBe(true)
  vi.advanceTimersByTime(3_001)
  expect(isOwnChange(unrelated)).toBe(false)
})

test('after a change of many, no notes are shown for a moment', () => {
  markOwnBatch()
  expect(isOwnChange(updated('ent_9'))).toBe(true)
  vi.advanceTimersByTime(3_001)
  expect(isOwnChange(updated('ent_9'))).toBe(false)
})
