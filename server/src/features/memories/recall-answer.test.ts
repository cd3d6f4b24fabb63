import type { GraphData } from '@loci/contract/graph'
import type { EntityHit, ObservationHit, Understanding } from '@loci/contract/search'
import { describe, expect, test } from 'vitest'
import { countAnswering } from './count-answering.ts'
import { entityWithMetadata } from './in-line.ts'
import { costOf } from './recall-budget.ts'
import { takeListed } from './recall-entities.ts'
import { findNewer, takeFacts } from './recall-facts.ts'
import { toForm } from './recall-form.ts'
import { sentencesOfAnswer, sentencesOfReading } from './recall-notice.ts'
import { toText } from './recall-text.ts'
import type { Recalled } from './recalled.ts'
import { takeSurroundings, toNamedPart } from './surroundings.ts'

const day = '2026-11-23T12:00:00.000Z'
const hit = (id: string, content: string, more: Partial<ObservationHit> = {}) =>
  ({
    ...{ id, content, createdAt: day, score: 1, highlights: [], before: [], after: [] },
    ...{ entity: { id: 'ent_1', name: 'Ada', type: 'person' }, ...more },
  }) as ObservationHit
const near = (id: string, content: string) => ({ id, content, createdAt: day })
const plenty = { perEntityMax: 10, isFirstForced: true }
const factsOf = (hits: ObservationHit[], left = 10_000, options = plenty) =>
  takeFacts({ left }, hits, { writers: new Map(), sources: new Map(), ...options })

describe('the facts that answer', () => {
  const scored = (scores: number[], text = 'Likes tea') =>
    scores.map((score, i) => hit(`obs_${i}`, text, { score }))
  const falling = Array.from({ length: 20 }, (_, i) => 1 - i / 20)
  const flat = (score: number) => Array.from({ length: 40 }, () => score)

  test('score at least a quarter of the best one, and are eight at least', () => {
    expect(countAnswering(scored(falling))).toBe(16)
    expect(countAnswering(scored([1, ...flat(0.2)]))).toBe(8)
    expect(countAnswering(scored([1, 0.7, ...flat(0.3)]))).toBe(42)
    expect(countAnswering(scored([1, 0.1]))).toBe(2)
  })

  test('are about ten where the best one stands out', () => {
    expect(countAnswering(scored([1, ...flat(0.3)]))).toBe(10)
    expect(countAnswering(scored([1, ...flat(0.6)]))).toBe(41)
    expect(countAnswering(scored([1, 0.3, ...flat(0.2)]))).toBe(8)
  })

  test('are all that were found where each says more than one thing', () => {
    expect(countAnswering(scored(falling, 'word '.repeat(60)))).toBe(20)
  })

  test('are those of the entities that a question names, if these have few', () => {
    const named = (count: number) =>
      scored([1, ...flat(0.5)]).map((one, i) => {
        const asked = { named: i < count ? 1 : 0, asked: 1 }
        return { ...one, explain: { ...one.explain, ...asked } } as ObservationHit
      })
    expect(countAnswering(named(10))).toBe(10)
    expect(countAnswering(named(3))).toBe(8)
    expect(countAnswering(named(17))).toBe(41)
  })
})

describe('a fact that a later one may have replaced', () => {
  const newerOf = (earlier: string, later: string) =>
    findNewer([hit('obs_1', earlier), hit('obs_2', later)]).get('obs_1')

  test.each([
    ['Lives in Berlin', 'Moved to Lisbon in May'],
    ['Retries failed charges three times', 'Failed charges are now retried five times'],
  ])('is marked: %s, %s', (earlier, later) => {
    expect(newerOf(earlier, later)).toBe('obs_2')
  })

  test.each([
    [
      'Rate limit is 120 requests per minute per API key',
      'Returns 422 rather than 400 for validation errors',
    ],
    ['Teaches maths and PE', 'Form tutor of 5B since August'],
    ['Wallet was stolen on tram 28', 'Flight home was cancelled and TAP paid 250 compensation'],
  ])('is not marked by a change of something else: %s, %s', (earlier, later) => {
    expect(newerOf(earlier, later)).toBeUndefined()
  })
})

describe('recalled facts', () => {
  test('have the date alone, and the words of the contract', () => {
    expect(factsOf([hit('obs_1', 'Likes tea')]).facts).toEqual([
      {
        id: 'obs_1',
        entity: { name: 'Ada', entityType: 'person' },
        content: 'Likes tea',
        createdAt: '2026-11-23',
      },
    ])
  })

  test('tell no text of an entity twice, but of two entities each', () => {
    const bob = { entity: { id: 'ent_2', name: 'Bob', type: 'person' } }
    const { facts, left } = factsOf([
      hit('1', 'Likes tea'),
      hit('2', 'Likes tea'),
      hit('3', 'Likes tea', bob),
    ])
    expect(facts.map(({ id }) => id)).toEqual(['1', '3'])
    expect(left).toBe(0)
  })

  test('come with their neighbours in the order of time, except those that are hits themselves', () => {
    const middle = hit('2', 'middle', {
      before: [near('0', 'first'), near('1', 'second')],
      after: [near('3', 'third'), near('4', 'fourth')],
    })
    const { facts } = factsOf([middle, hit('3', 'third')])
    expect(facts[0]).toMatchObject({ before: ['first', 'second'], after: ['fourth'] })
    expect(facts[1]).toMatchObject({ content: 'third' })
  })

  test('are at most so many of an entity; the others are counted', () => {
    const hits = ['a', 'b', 'c', 'd'].map((text) => hit(text, text))
    const { facts, left } = factsOf(hits, 10_000, { ...plenty, perEntityMax: 2 })
    expect([facts.length, left]).toEqual([2, 2])
  })

  test('have the first even if it does not fit, if it must', () => {
    expect(factsOf([hit('1', 'x'.repeat(5_000))], 10).facts).toHaveLength(1)
    expect(factsOf([hit('1', 'x'.repeat(5_000))], 10, { ...plenty, isFirstForced: false }).facts).toEqual([])
  })

  test('never cost more than the budget', () => {
    for (const left of [60, 200, 1_000, 5_000]) {
      const budget = { left }
      const hits = Array.from({ length: 40 }, (_, i) =>
        hit(`obs_${i}`, `${i} ${'word '.repeat(10 * i)}`, { after: [near(`n${i}`, `neighbour ${i}`)] }),
      )
      const { facts, left: over } = takeFacts(budget, hits, {
        writers: new Map(),
        sources: new Map(),
        ...plenty,
        perEntityMax: 40,
        isFirstForced: false,
      })
      const shown = facts.length === 0 ? [] : toForm({ observations: facts }).facts!
      expect(costOf(shown)).toBeLessThanOrEqual(left)
      expect(facts.length + over).toBe(40)
    }
  })

  test('that were cut are lengthened with what is left', () => {
    const long = 'tea '.repeat(400)
    expect(factsOf([hit('1', long)], 4_000).facts[0]?.content).toBe(long)
    expect(factsOf([hit('1', long)], 300).facts[0]?.content).toMatch(/^tea tea .* \.\.\.$/)
  })
})

describe('recalled entities', () => {
  const entity = (name: string, metadata = {}) =>
    ({ id: name, name, type: 'person', metadata, observationsCount: 0, score: 1 }) as EntityHit

  test('tell their metadata if there is any, and if it is short', () => {
    const budget = { left: 1_000 }
    const hits = [entity('Ada', { born: 1815 }), entity('Bob'), entity('Eve', { notes: 'x'.repeat(400) })]
    expect(takeListed(budget, hits, 10, 1)).toEqual([
      { name: 'Ada', entityType: 'person', metadata: { born: 1815 } },
      { name: 'Bob', entityType: 'person' },
      { name: 'Eve', entityType: 'person' },
    ])
  })

  test('have names before any metadata', () => {
    const hits = Array.from({ length: 20 }, (_, i) => entity(`Person ${i}`, { page: 'y'.repeat(200) }))
    const names = takeListed({ left: 10_000 }, hits, 20, 0).length
    expect(names).toBe(20)
    expect(takeListed({ left: 10_000 }, hits, 20, 0).some(({ metadata }) => metadata !== undefined)).toBe(
      false,
    )
  })

  test('deduct what they cost', () => {
    const budget = { left: 1_000 }
    const taken = takeListed(budget, [entity('Ada', { born: 1815 }), entity('Bob')], 10, 1)
    expect(1_000 - budget.left).toBe(taken.reduce((sum, one) => sum + costOf(entityWithMetadata(one)), 0))
  })
})

describe('the notice of an answer', () => {
  const reading = (understood: Understanding) => sentencesOfReading(understood).join(' ')
  const answer = (recalled: object, understood: Understanding = {}) =>
    sentencesOfAnswer(understood, recalled as Recalled).join(' ')

  test('names words that nothing has, in quotes, and at most six', () => {
    expect(reading({ unknown: ['zebra'] })).toBe('Nothing stored has the word "zebra".')
    expect(reading({ unknown: ['a"b', 'c'] })).toBe('Nothing stored has the words "a\\"b", "c".')
    expect(reading({ unknown: [...'abcdefgh'] })).not.toContain('"g"')
  })

  test('names guesses and similar entities', () => {
    expect(reading({ guesses: [{ word: 'kubernets', taken: ['kubernetes', 'x', 'y', 'z'] }] })).toBe(
      'Nothing stored has the word "kubernets"; guessed "kubernetes", "x", "y".',
    )
    const entities = [{ name: 'John Smith', type: 'person' }]
    expect(reading({ near: [{ word: 'Jhon', entities }] })).toContain('similar: "John Smith" (person).')
  })

  test('of an empty answer about a time gives its days, the last one included', () => {
    const times = [{ from: '2026-11-16T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' }]
    expect(answer({}, { times })).toBe('Nothing was stored from 2026-11-16 until 2026-11-22.')
    const before = (now: string) =>
      sentencesOfAnswer({ times }, {} as Recalled, { now: Date.parse(now) }).join(' ')
    expect(before('2026-11-15')).toBe('Nothing is remembered with a date from 2026-11-16 until 2026-11-22.')
    expect(before('2026-11-23')).toBe('Nothing was stored from 2026-11-16 until 2026-11-22.')
    expect(answer({}, { times, unknown: ['zebra'] })).toContain('ask in other words')
  })

  test('tells whether a list is whole', () => {
    const entities = [{ name: 'A', entityType: 't' }]
    const of = (total: number) => answer({ entities }, { listed: { types: ['decision'], total } })
    expect(of(1)).toBe('This is the only entity of type "decision".')
    expect(of(30)).toContain('the newest 1 of 30')
    expect(
      answer({ entities: [...entities, ...entities] }, { listed: { types: ['a', 'b'], total: 2 } }),
    ).toBe('These are all 2 entities of type "a", "b".')
  })

  test('tells how many observations there are beyond those shown', () => {
    expect(answer({ observations: [{}], total: 7 })).toContain('1 of 7 matching')
    expect(answer({ observations: [{}], total: 100 })).toContain('1 of at least 100 matching')
    expect(answer({ observations: [{}] })).toBe('')
  })
})

test('an answer as text has a paragraph an entity, with neighbours around its facts, in the order of its parts', () => {
  const recalled = {
    entities: [{ name: 'Ada', entityType: 'person', metadata: { born: 1815 } }],
    relations: [{ from: 'Ada', relationType: 'knows', to: 'Bob' }],
    observations: [
      { ...factsOf([hit('obs_1', 'Likes tea')]).facts[0]!, before: ['Woke up'], after: ['Slept'] },
    ],
  }
  expect(toText(recalled as unknown as Recalled)).toBe(
    [
      '- Ada (person) {"born":1815}',
      '- Ada -> knows -> Bob',
      'Ada (person):\n[obs_1] 2026-11-23: Likes tea\n  (before) Woke up\n  (after) Slept',
    ].join('\n\n'),
  )
})

describe('the surroundings of an entity', () => {
  const node = (id: string) => ({ id, name: `Name ${id}`, type: 'thing', observationsCount: 1 })
  const edge = (fromEntityId: string, toEntityId: string) => ({ fromEntityId, toEntityId, relationType: 'r' })
  const around = (truncated = false) =>
    ({
      entities: ['a', 'b', 'c'].map(node),
      relations: [edge('a', 'b'), edge('c', 'b'), edge('c', 'a')],
      truncated,
    }) as unknown as GraphData

  test('leave out the entity itself, and name both ends of relations', () => {
    const notices: string[] = []
    const part = takeSurroundings(around(), 10_000, notices)
    expect(part.entities.map(({ name }) => name)).toEqual(['Name b', 'Name c'])
    expect(part.relations).toHaveLength(3)
    expect(part.relations[0]).toEqual({ from: 'Name a', to: 'Name b', relationType: 'r' })
    expect(notices).toEqual([])
  })

  test('that do not fit are told, and no relation names an entity that is missing', () => {
    const whole = JSON.stringify(toNamedPart(around())).length
    for (let room = 0; room < whole; room += 25) {
      const notices: string[] = []
      const { entities, relations } = takeSurroundings(around(), room, notices)
      const names = new Set(['Name a', ...entities.map(({ name }) => name)])
      for (const { from, to } of relations) expect([from, to].every((name) => names.has(name))).toBe(true)
      const isAll = entities.length === 2 && relations.length === 3
      expect(notices.join('')).toContain(
        isAll ? '' : `${entities.length} of 2 entities and ${relations.length} of 3`,
      )
      expect(notices).toHaveLength(isAll ? 0 : 1)
    }
  })

  test('that were cut before are told too', () => {
    const notices: string[] = []
    takeSurroundings(around(true), 10_000, notices)
    expect(notices[0]).toContain('raise limit')
  })
})
