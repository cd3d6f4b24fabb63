import { expect, test } from 'vitest'
import { fitsTime, readTimeSpans } from '../ask/question-times.ts'
import type { Passage } from '../match/count-words.ts'
import { type RankingInput, rankObservations } from './ranking.ts'

const passage = (id: number, text: string, more: Partial<Passage> = {}): Passage => {
  const place = {
    entityId: 1_000,
    position: id,
    createdAt: 0,
    times: () => [],
    length: text.split(' ').length,
    pieces: 1,
  }
  return { id, observationId: id, terms: text, ...place, ...more }
}

function rank(query: string, passages: Passage[], more: Partial<RankingInput> = {}): number[] {
  const words = query.split(' ').map((term) => ({
    own: term,
    surface: term,
    terms: new Map([[term, 1]]),
    count: passages.filter((candidate) => candidate.terms.split(' ').includes(term)).length,
    rarity: 1,
  }))
  const length = passages.reduce((sum, candidate) => sum + candidate.length, 0)
  const space = { passages: passages.length + 100, length: length * 10 }
  const input = { words, space, passages, fields: new Map(), named: new Map(), times: [], ...more }
  return rankObservations(input).map((ranked) => ranked.passage.observationId)
}

test('what follows a question is lifted by it', () => {
  const passages = [
    passage(0, 'favourite opera ?'),
    passage(1, 'tosca surely'),
    passage(9, 'opera house', { entityId: 2_000 }),
  ]
  expect(rank('favourite opera', passages)).toEqual([0, 1, 9])
})

test.each([
  ['a question', ''],
  ['a question with metadata', ' =sev1 =open'],
])('%s comes after what tells', (_, metadata) => {
  const passages = [
    passage(0, `favourite opera ?${metadata}`, { length: 2 }),
    passage(5, 'favourite opera'),
    passage(9, `favourite opera ?${metadata}`, { length: 2 }),
  ]
  expect(rank('favourite opera', passages)[0]).toBe(5)
})

test('among short facts, what stands around one counts less, but not in a conversation', () => {
  const neighboursIn = (averageLength: number, mark: string) => {
    const passages = [passage(0, `opera${mark}`), passage(1, `tosca${mark}`)]
    const { parts } = rankObservations({
      words: [{ own: 'opera', surface: 'opera', terms: new Map([['opera', 1]]), count: 1, rarity: 1 }],
      space: { passages: 100, length: 100 * averageLength },
      passages,
      ...{ fields: new Map(), named: new Map(), times: [] },
    }).find((ranked) => ranked.passage.id === 1)!
    return parts.neighbours
  }
  expect(neighboursIn(5, '')).toBeLessThan(0.8 * neighboursIn(15, ''))
  expect(neighboursIn(5, ' !')).toBeGreaterThan(0.9 * neighboursIn(15, ' !'))
  expect(neighboursIn(5, ' ?')).toBeGreaterThan(0.9 * neighboursIn(15, ' ?'))
})

test('neighbours told days apart do not count as neighbours', () => {
  const near = [passage(0, 'opera'), passage(1, 'tosca')]
  const far = [passage(0, 'opera'), passage(1, 'tosca', { createdAt: 5 * 86_400_000 })]
  const scoreOf = (passages: Passage[]) =>
    rankObservations({
      words: [{ own: 'opera', surface: 'opera', terms: new Map([['opera', 1]]), count: 1, rarity: 1 }],
      space: { passages: 10, length: 20 },
      passages,
      fields: new Map(),
      named: new Map(),
      times: [],
    }).find((ranked) => ranked.passage.id === 1)!.parts.neighbours
  expect(scoreOf(near)).toBeGreaterThan(1000 * scoreOf(far))
})

test('the subject named in a question comes first', () => {
  const passages = [
    passage(0, 'ben like tea', { entityId: 2_001 }),
    passage(1, 'ada like tea', { entityId: 2_002 }),
  ]
  expect(rank('like tea', passages, { named: new Map([[2_003, ['ada']]]) })[0]).toBe(1)
})

test.each([
  ['in May', '2026-05-15', '2026-03-15'],
  ['on 7 May 2023', '2023-05-07', '2023-05-01'],
  ['May 7th, 2023', '2023-05-07', '2023-04-30'],
  ['2024-05-08', '2024-05-08', '2024-05-07'],
  ['last summer', '2025-07-01', '2026-04-01'],
  ['yesterday', '2026-06-19', '2026-06-18'],
  ['two weeks ago', '2026-06-06', '2026-05-01'],
  ['in 2024', '2024-11-11', '2023-11-11'],
])('"%s" means %s and not %s', (words, inside, outside) => {
  const spans = readTimeSpans(`what happened ${words}?`, Date.parse('2026-06-20T12:00:00Z'))
  expect(fitsTime(spans, Date.parse(`${inside}T12:00:00Z`))).toBe(1)
  expect(fitsTime(spans, Date.parse(`${outside}T12:00:00Z`))).toBeLessThan(0.1)
})
