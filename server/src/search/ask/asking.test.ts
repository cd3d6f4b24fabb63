import { describe, expect, test } from 'vitest'
import { readAnswerKind, subjectOf, tellsKind, termsOfKind } from './question.ts'

describe('the subject of a question', () => {
  test.each([
    ['What do you know about Ada Lovelace?', 'Ada Lovelace?'],
    ['what did we learn about the checkout service', 'the checkout service'],
    ['Tell me about tea', 'tea'],
    ['Can you tell me again what Ada likes', 'Ada likes'],
    ['please list all projects', 'projects'],
    ['Do you remember anything about Ada', 'Ada'],
    ['What is known of the engine', 'the engine'],
    ['summarise everything about Ada', 'Ada'],
    ['Was weißt du über Ada?', 'Ada?'],
    ['was wissen wir von Ada', 'Ada'],
    ['Que sais-tu sur Ada', 'Ada'],
    ['qué sabes de Ada', 'Ada'],
    ['list: projects', 'projects'],
  ])('%j is %j', (query, subject) => {
    expect(subjectOf(query)).toBe(subject)
  })

  test.each([
    'Ada Lovelace',
    'who knows Ada?',
    'showing Ada',
    'listen to Ada',
    'tell me',
    'What do you know?',
    'list !',
    '',
  ])('%j is all of it', (query) => {
    expect(subjectOf(query)).toBe(query)
  })

  test('of a long query is found quickly', () => {
    const started = process.cpuUsage()
    for (const part of ['please ', 'can you ', 'tell me all ', 'list, ']) subjectOf(part.repeat(5_000))
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000)
  })
})

describe('the kind of an answer', () => {
  test.each([
    ['When did Ada move?', 'time'],
    ['What year was it?', 'time'],
    ['On which day do we meet', 'time'],
    ['since when does she work there', 'time'],
    ['How many cats has she?', 'number'],
    ['how old is she', 'number'],
    ['WHEN and how many', 'time'],
    ['whenever she moves', undefined],
    ['How does it work?', undefined],
    ['who is she', undefined],
    ['', undefined],
  ])('%j asks for is %s', (query, kind) => {
    expect(readAnswerKind(query)).toBe(kind)
  })

  test.each([
    ['time', 'ada move last week', true],
    ['time', 'ada move 2024', true],
    ['time', 'monday', true],
    ['time', 'ada move lastly', false],
    ['time', 'two cat', false],
    ['number', 'two cat', true],
    ['number', 'cat 12', true],
    ['number', 'cat a12', false],
    ['number', 'someon', false],
  ] as const)('as a %s is in %j: %s', (kind, terms, tells) => {
    expect(tellsKind(kind, terms)).toBe(tells)
  })

  test.each(['time', 'number'] as const)('of %s has words that each tell it', (kind) => {
    const terms = termsOfKind(kind)
    expect(terms.length).toBeGreaterThan(20)
    expect(terms.filter((term) => !tellsKind(kind, `ada ${term} tea`))).toEqual([])
  })
})
