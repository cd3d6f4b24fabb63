import { describe, expect, test } from 'vitest'
import { analyse } from '../analyse/analyser.ts'
import type { Language } from '../analyse/languages.ts'
import { readExcluded, readPhrases } from './question.ts'

const phrasesOf = (query: string) => readPhrases(query, analyse(query, 'en').tokens)
const excludedBy = (query: string, language: Language = 'en') =>
  readExcluded(query, analyse(query, language).tokens, language)

describe('quoted phrases', () => {
  test.each([
    ['who said "red winter coat"?', [['red', 'winter', 'coat']]],
    [
      '„red coat“ or «red hat» or »red shoe«',
      [
        ['red', 'coat'],
        ['red', 'hat'],
        ['red', 'shoe'],
      ],
    ],
    ['"to be or not to be"', [['to', 'be', 'or', 'not', 'to', 'be']]],
  ])('%s', (query, phrases) => {
    expect(phrasesOf(query)).toEqual(phrases)
  })

  test.each(['the "coat" of Ada', 'a 5" and a 7" screen', 'an "unfinished quote', 'no quotes at all'])(
    'are none in %s',
    (query) => {
      expect(phrasesOf(query)).toEqual([])
    },
  )

  test('are at most eight', () => {
    expect(phrasesOf('"red coat" '.repeat(20))).toHaveLength(8)
  })
})

describe('negated words', () => {
  test.each<[string, string[], Language?]>([
    ['services without Redis', ['Redis']],
    ['which services do not use Redis or Kafka?', ['use', 'Redis', 'Kafka']],
    ['who is not in Berlin, and who plays chess', ['Berlin']],
    ['not only Redis', []],
    ['who no longer works here', ['works']],
    ['what is not yet deployed', ['deployed']],
    ['Dienste ohne Redis', ['Redis'], 'de'],
    ['services sans Redis', ['Redis'], 'fr'],
    ['nothing is negated here', []],
  ])('%s', (query, words, language) => {
    const terms = words.map((word) => analyse(word, language ?? 'en').tokens[0]!.term)
    expect(excludedBy(query, language).sort()).toEqual(terms.sort())
  })

  test('end with the clause and after four words', () => {
    expect(excludedBy('not Redis. Who uses Kafka?')).toHaveLength(1)
    expect(excludedBy('without apples pears plums cherries grapes melons')).toHaveLength(4)
  })

  test('are looked for in the first words of a very long question only', () => {
    expect(excludedBy(`${'word '.repeat(300)} without Redis`)).toEqual([])
  })
})
