import { expect, test } from 'vitest'
import { offeredTypes, validateRelation } from './relation-form.rules.ts'

test('both ends and a type are required, and blanks do not count', () => {
  expect(validateRelation({ fromEntityId: '', toEntityId: '', type: '  ' })).toEqual({
    fromEntityId: 'Source entity is required',
    toEntityId: 'Target entity is required',
    type: 'Relation type is required',
  })
})

test('an entity cannot be related to itself', () => {
  expect(validateRelation({ fromEntityId: 'a', toEntityId: 'a', type: 'uses' })).toEqual({
    toEntityId: 'Source and target entities cannot be the same',
  })
})

test("a relation's own type is offered even if it is not a known one", () => {
  expect(offeredTypes('uses')).toHaveLength(10)
  expect(offeredTypes('admires').at(-1)).toBe('admires')
})

test("the account's types come after the usual ones, each once", () => {
  expect(offeredTypes('owns', ['uses', 'member_of', 'owns']).slice(9)).toEqual([
    'influences',
    'member_of',
    'owns',
  ])
})
