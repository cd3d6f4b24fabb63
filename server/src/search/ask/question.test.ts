import { expect, test } from 'vitest'
import { readQuestion } from './question.ts'

const read = (query: string) =>
  readQuestion({ query: query, typing: false, limit: 10, expand: false, byMeaning: false }, 0)

test.each([
  ['who said "to be or not to be"?', [['to', 'be', 'or', 'not', 'to', 'be']]],
  [
    '“red tea” or «green tea»',
    [
      ['red', 'tea'],
      ['green', 'tea'],
    ],
  ],
  ['„grüner Tee“', [['grun', 'tee']]],
  ['the "tea" pot', []],
  ['an 11" screen and a 12" one is it', []],
  ['an unbalanced "quote here', []],
])('phrases of %s', (query, phrases) => expect(read(query).phrases).toEqual(phrases))

test.each([
  ['who does not eat fish', ['eat', 'fish']],
  ["who doesn't eat fish but likes meat?", ['eat', 'fish']],
  ['tea without sugar', ['sugar']],
  ['who no longer works at Acme, and where is Ravi?', ['work', 'acm']],
  ['Wer isst keinen Fisch?', ['fisch']],
  ['Was ist ohne Zucker und mit Milch?', ['zuck']],
  ['¿Quién no come pescado en la casa?', ['com', 'pesc', 'cas']],
  ['Кто не ест рыбу?', ['ест', 'рыб']],
  ['not only tea', []],
  ['No, I meant tea', []],
  ['who eats fish', []],
  ["Why doesn't Ada eat fish?", []],
  ["Isn't Osaka on the way?", []],
  ['Warum isst Ada keinen Fisch?', []],
  ['¿Por qué no come pescado?', []],
  ['How do I build without Docker?', []],
  ['How many do not eat fish?', ['eat', 'fish']],
  ['My tests do not run. Which flag is missing?', []],
  ['No tests run! Which are not fast?', ['fast']],
  ['Who does not know Dr. Fischer? Name all.', ['know', 'dr']],
])('excluded by %s', (query, excluded) => expect(read(query).excluded).toEqual(excluded))

test('long questions of quotes and negations are read quickly', () => {
  const started = process.cpuUsage()
  for (const part of ['"', '« ', 'not ', '" not fish ', 'run. not? ']) read(part.repeat(20_000))
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000)
})

test('only the beginning of a very long query is read', () => {
  const { words, terms } = readQuestion(
    {
      query: `${'的'.repeat(9_000)} zebra`,
      typing: false,
      limit: 10,
      expand: false,
      byMeaning: false,
    },
    0,
  )
  expect(words.length).toBeLessThanOrEqual(256)
  expect(terms.has('zebra')).toBe(false)
  expect(
    readQuestion(
      {
        query: `${'apple pear '.repeat(200)} zebra`,
        typing: false,
        limit: 10,
        expand: false,
        byMeaning: false,
      },
      0,
    ).terms.has('zebra'),
  ).toBe(true)
})

test.each([
  ['Wann renoviert Emma?', ['renoviert', 'emma']],
  ['Wieso ACME?', ['acme']],
  ['¿Cuántas tazas?', ['tazas']],
  ['Does anyone know Kira?', ['know', 'kira']],
  ['everything about Kira', ['kira']],
  ['anything?', ['anything']],
])('words that %s looks for', (query, surfaces) =>
  expect(read(query).words.map(({ surface }) => surface)).toEqual(surfaces),
)
