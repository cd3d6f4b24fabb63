import type { Change } from '@loci/contract/changes'
import { expect, test } from 'vitest'
import { firstMemoryIn } from './first-memory.ts'

const change = (seq: number, setId: string, entityId: string, kind: Change['actor']['kind']): Change => ({
  seq,
  setId,
  at: '2026-11-22T10:00:00.000Z',
  actor: { kind, id: 'x', name: 'x' },
  operation: 'observation_added',
  subject: { kind: 'observation', id: `obs_${seq}`, entityId },
  before: null,
  after: { content: `fact ${seq}` },
})

test("the first memory is an agent's oldest call, one entity of it, in the order of writing", () => {
  const changes = [
    change(6, 'set_3', 'ent_3', 'personal_key'),
    change(5, 'set_2', 'ent_2', 'personal_key'),
    change(4, 'set_2', 'ent_1', 'personal_key'),
    change(3, 'set_2', 'ent_1', 'personal_key'),
    change(2, 'set_1', 'ent_0', 'session'),
  ]
  expect(firstMemoryIn(changes)?.map(({ seq }) => seq)).toEqual([3, 4])
})

test("what a person typed, or what is gone, is not an agent's first memory", () => {
  expect(firstMemoryIn([])).toBeUndefined()
  expect(firstMemoryIn([change(1, 'set_1', 'ent_1', 'session')])).toBeUndefined()
  expect(firstMemoryIn([{ ...change(1, 'set_1', 'ent_1', 'api_key'), after: null }])).toBeUndefined()
})
