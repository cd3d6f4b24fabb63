import { describe, expect, test } from 'vitest'
import { stemEnglish } from './english.ts'
import { listLemmas } from './lemmas.ts'

describe('the base forms of an English word', () => {
  test.each([
    ['cities', 'city'],
    ['firemen', 'fireman'],
    ['boxes', 'box'],
    ['churches', 'church'],
    ['dogs', 'dog'],
    ['walked', 'walk'],
    ['running', 'run'],
    ['bigger', 'big'],
    ['nicest', 'nice'],
    ['hoping', 'hope'],
    ['tried', 'try'],
    ['went', 'go'],
    ['mice', 'mouse'],
  ])('of %s include %s', (word, lemma) => {
    if (lemma.length >= 3) expect(listLemmas(word)).toContain(lemma)
    else expect(stemEnglish(word)).toBe(lemma)
  })

  test('begin with the word itself, each form once', () => {
    for (const word of ['house', 'glasses', 'running', 'dog']) {
      const lemmas = listLemmas(word)
      expect(lemmas[0]).toBe(word)
      expect(new Set(lemmas).size).toBe(lemmas.length)
    }
  })

  test('have at least three letters', () => {
    expect(listLemmas('goes').every((lemma) => lemma.length >= 3)).toBe(true)
    expect(listLemmas('is')).toEqual([])
  })

  test('do not drop an s that belongs to the word', () => expect(listLemmas('glass')).toEqual(['glass']))
})

describe('English stems', () => {
  test.each([
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['hopefulness', 'hope'],
    ['agreed', 'agre'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['sayings', 'say'],
    ['ties', 'tie'],
    ['gas', 'gas'],
    ['generate', 'generat'],
    ['communism', 'communism'],
    ['howe', 'howe'],
    ['at', 'at'],
  ])('%s is stemmed to %s', (word, stem) => expect(stemEnglish(word)).toBe(stem))

  test('are not looked up for words of other scripts', () => {
    expect(stemEnglish('cafés')).toBe('cafés')
    expect(stemEnglish('sha256s')).toBe('sha256s')
  })
})
