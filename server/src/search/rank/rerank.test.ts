import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { countWordsOf, type Passage, type QueryWord } from '../match/count-words.ts'
import { rankObservations } from './ranking.ts'
import { featureNames, rerank, rerankedMax } from './rerank.ts'
import { learnedWeights } from './rerank-weights.ts'

const passage = (id: number, terms: string, more: Partial<Passage> = {}): Passage => {
  const place = {
    entityId: 1_000,
    position: id,
    createdAt: 0,
    times: () => [],
    length: terms.match(/\w+/g)!.length,
    pieces: 1,
  }
  return { id, observationId: id, terms, ...place, ...more }
}

function rankAndRerank(query: string, passages: Passage[], isFirstPerson = false) {
  const words = query.split(' ').map(
    (term): QueryWord => ({
      terms: new Map([[term, 1]]),
      own: term,
      surface: term,
      count: passages.filter(({ terms }) => terms.split(' ').includes(term)).length,
      rarity: 1,
    }),
  )
  const counter = countWordsOf(words)
  const space = { passages: passages.length + 100, length: (passages.length + 100) * 3 }
  const input = { words, space, passages, fields: new Map(), named: new Map(), times: [], isFirstPerson }
  const ranked = rankObservations(input, counter)
  return { ranked, reranked: rerank(ranked, input, counter) }
}

const idsOf = (hits: readonly { passage: Passage }[]) => hits.map((hit) => hit.passage.observationId)

/** The first one makes their entity a conversation; it contains no word of the question. */
const talk = [passage(0, 'lunch soon !'), passage(9, 'opera tosca !'), passage(19, 'opera tosca')]

test('each feature has a weight', () => {
  expect(learnedWeights).toHaveLength(featureNames.length)
})

test('in a conversation, a speaker talking about themselves comes first', () => {
  const { ranked, reranked } = rankAndRerank('opera', talk)
  expect(idsOf(ranked).slice(0, 2)).toEqual([19, 9])
  expect(idsOf(reranked).slice(0, 2)).toEqual([9, 19])
})

test('one "me" among facts makes no conversation', () => {
  const facts = [passage(0, 'lunch soon !'), passage(9, 'opera tosca'), passage(19, 'opera seats')]
  const alone = rankAndRerank('opera', facts.slice(1), true)
  const beside = rankAndRerank('opera', facts, true)
  const shareOf = ({ reranked }: typeof alone) => {
    const { score, parts } = reranked.find(({ passage: { id } }) => id === 9)!
    return parts.learned / (score - parts.learned)
  }
  expect(shareOf(beside)).toBeCloseTo(shareOf(alone), 9)
})

test('more so if the question is in the first person', () => {
  const learnedOf = (isFirstPerson: boolean) =>
    rankAndRerank('opera', talk, isFirstPerson).reranked.find(({ passage: { id } }) => id === 19)!.parts
      .learned
  expect(learnedOf(true)).toBeLessThan(learnedOf(false))
})

test('a fact in the third person is no worse than a statement about oneself', () => {
  const fact = passage(29, 'opera tosca', { entityId: 2_000, position: 0 })
  const { reranked } = rankAndRerank('opera', [...talk, fact])
  const shareOf = (id: number) => {
    const { score, parts } = reranked.find((hit) => hit.passage.id === id)!
    return parts.learned / (score - parts.learned)
  }
  expect(shareOf(29)).toBeCloseTo(shareOf(9), 9)
  expect(shareOf(29)).toBeGreaterThan(shareOf(19))
})

test('the answer to a question about the same comes before a repetition of its words', () => {
  const passages = [
    passage(0, 'favourite opera composer ?'),
    passage(1, 'opera tosca'),
    passage(10, 'opera seats'),
    passage(11, 'opera tosca'),
  ]
  const { reranked } = rankAndRerank('favourite opera composer', passages)
  const learnedOf = (id: number) => reranked.find((hit) => hit.passage.id === id)!.parts.learned
  expect(learnedOf(1)).toBeGreaterThan(learnedOf(11))
})

test('the parts of a corrected score add up to it, and scores fall from first to last', () => {
  const passages = Array.from({ length: rerankedMax + 20 }, (_, i) =>
    passage(i * 10, `opera${' house'.repeat(i % 7)}${i % 2 === 0 ? ' !' : ''}`),
  )
  const { ranked, reranked } = rankAndRerank('opera house', passages)
  for (const { score, parts } of reranked) {
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9)
  }
  const scores = reranked.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(idsOf(reranked.slice(rerankedMax))).toEqual(idsOf(ranked.slice(rerankedMax)))
  expect(idsOf(reranked).toSorted()).toEqual(idsOf(ranked).toSorted())
})

describeOnBothDatabases('the learned weights', (server) => {
  test('put what the user said before what the user was told', async () => {
    const alice = await server().signUp()
    const said = 'My marathon training plan gets the whole family up at six every Sunday, rain or shine'
    const observations = [said, 'A marathon training plan has long runs']
    await alice.rest.createEntity({ body: { name: 'Monday', type: 'chat', observations } })
    const query = { query: 'What is my marathon training plan?' }
    const { observations: found } = await alice.rest.searchObservations({ query })
    expect(found.map(({ content }) => content)).toEqual(observations)
  })
})
