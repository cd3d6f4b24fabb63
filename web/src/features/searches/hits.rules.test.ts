import type { ObservationHit, RelationHit } from '@loci/contract/search'
import { describe, expect, test } from 'vitest'
import { facetsOf, isFoundByGuess, placeRelations, splitHits, writtenBy } from './hits.rules.ts'

const hit = (id: string, content: string, words: string[], entityId = id): ObservationHit => ({
  id,
  content,
  createdAt: '2026-11-22T10:00:00.000Z',
  score: 1,
  highlights: words.map((word) => [content.indexOf(word), content.indexOf(word) + word.length]),
  entity: { id: entityId, name: entityId, type: entityId === 'p' ? 'person' : 'service' },
  before: [],
  after: [],
  by: { kind: 'personal_key', id: 'u', name: 'Maya', client: entityId === 'p' ? 'cursor' : 'claude-code' },
})
const relation = (id: string, from: string, to: string): RelationHit => ({
  id,
  from: { id: from, name: from, type: 't' },
  to: { id: to, name: to, type: 't' },
  relationType: 'uses',
  createdAt: '2026-11-22T10:00:00.000Z',
  score: 1,
})

describe('search hits', () => {
  test('of one writer come with the entities and relations that they are about, and are counted', () => {
    const [ofClaude, ofCursor] = [hit('a', 'Weaves', ['Weaves']), hit('p', 'Weaves too', ['Weaves'])]
    const entity = (id: string) => ({ id, name: id, type: 't', metadata: {}, observationsCount: 1, score: 1 })
    const answer = {
      observations: [ofClaude, ofCursor],
      entities: [entity('a'), entity('p')],
      relations: [relation('r', 'x', 'a'), relation('s', 'x', 'p')],
      total: 2,
    }
    expect(writtenBy(answer, undefined)).toBe(answer)
    expect(writtenBy(answer, 'claude-code')).toEqual({
      observations: [ofClaude],
      entities: [entity('a')],
      relations: [relation('r', 'x', 'a')],
      total: 1,
    })
    expect(writtenBy(answer, 'nobody')).toEqual({ observations: [], entities: [], relations: [], total: 0 })
  })

  test('by a similar spelling are set apart from exact ones', () => {
    const both = hit('a', 'Deadlocks when two payouts touch', ['Deadlocks', 'payouts'])
    const guessed = hit('b', 'A deadlock held the queue', ['deadlock'])
    const unmarked = hit('c', 'Found by meaning', [])
    expect(splitHits([both, guessed, unmarked], 'payouts dedlokc', {})).toEqual({
      plain: [both, unmarked],
      guessed: [guessed],
      spellings: ['deadlock'],
    })
    expect(isFoundByGuess(guessed, 'deadlocks')).toBe(false)
    const kept = hit('d', 'Ravi sold the automobile', ['automobile'])
    expect(isFoundByGuess(kept, 'car')).toBe(false)
    expect(isFoundByGuess(kept, 'car', [{ word: 'car', taken: ['automobile'] }])).toBe(true)
  })

  test('have the relations of their entities, each relation once', () => {
    const hits = [hit('1', 'x', [], 'a'), hit('2', 'y', [], 'a'), hit('3', 'z', [], 'b')]
    const relations = [relation('r1', 'a', 'b'), relation('r2', 'q', 'b'), relation('r3', 'q', 'w')]
    const { ofHits, others } = placeRelations(relations, hits)
    expect([...ofHits].map(([id, some]) => [id, some.map((one) => one.id)])).toEqual([
      ['1', ['r1']],
      ['3', ['r2']],
    ])
    expect(others.map(({ id }) => id)).toEqual(['r3'])
  })

  test('are counted by type and writer', () => {
    expect(facetsOf([hit('1', 'x', [], 'a'), hit('2', 'y', [], 'b'), hit('3', 'z', [], 'p')])).toEqual({
      types: [
        { value: 'service', count: 2 },
        { value: 'person', count: 1 },
      ],
      writers: [
        { value: 'claude-code', count: 2 },
        { value: 'cursor', count: 1 },
      ],
      agents: new Set(['claude-code', 'cursor']),
    })
  })
})
