import { describe, expect, test } from 'vitest'
import { subjectOf } from './question.ts'

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
