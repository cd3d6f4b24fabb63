import type { Observation } from '@loci/contract/observations'
import { expect, test } from 'vitest'
import { withAdded, withoutOne, withRevised } from './observation-changes.ts'

const observation = (id: string, content = id): Observation => ({
  id,
  content,
  createdAt: '2026-11-22T10:00:00Z',
})
const by = { kind: 'session' as const, id: 'usr_1', name: 'Ada' }

test('an addition comes last, and once, even if a read was quicker', () => {
  const [a, b] = [observation('a'), { ...observation('b'), by }]
  expect(withAdded([a], [observation('b')])).toEqual([a, observation('b')])
  expect(withAdded([a, b], [observation('b')]), 'the read knows more').toEqual([a, b])
})

test('a new wording keeps the place and the first writer; a deletion removes one', () => {
  const [a, b] = [{ ...observation('a'), by }, observation('b')]
  expect(withRevised([a, b], observation('a', 'new'))).toEqual([{ ...a, content: 'new' }, b])
  expect(withRevised([b], observation('a', 'new')), 'deleted meanwhile').toEqual([b])
  expect(withoutOne([a, b], 'a')).toEqual([b])
})
