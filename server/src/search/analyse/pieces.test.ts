import { describe, expect, test } from 'vitest'
import { readFoundTerms, readPieces } from './pieces.ts'

describe('the pieces of a text', () => {
  test('are its chunks, each with its words', () => {
    const { pieces, language } = readPieces('The checkout-service failed twice')
    expect(language).toBe('en')
    expect(pieces.map(({ text, terms, words, length }) => [text, terms, words, length])).toEqual([
      ['The', '', 1, 0],
      ['checkout-service', 'checkout servic checkoutservice', 2, 2],
      ['failed', 'fail', 1, 1],
      ['twice', 'twice', 1, 1],
    ])
  })

  test('mark terms for a whole identifier for ranking only', () => {
    const [piece] = readPieces('checkout-service').pieces
    expect(piece?.marked).toBe('checkout servic +checkoutservice')
    expect(piece?.terms).not.toContain('+')
  })

  test('are read in the language of the text', () => {
    const german = readPieces('Die Häuser der Stadt sind alt')
    expect(german.language).toBe('de')
    expect(german.pieces.map(({ terms }) => terms).filter(Boolean)).toEqual(['haus', 'stadt', 'alt'])
    const named = readPieces('The street is called Häuser').pieces.at(-1)
    expect(named?.terms).toBe('hauser')
  })

  test('say in which of them somebody speaks of themselves', () => {
    const speaking = readPieces("I'd say that my Zug leaves, said Ada").pieces.filter(
      (piece) => piece.isFirstPerson,
    )
    expect(speaking.map(({ text }) => text)).toEqual(["I'd", 'my'])
  })

  test('have the positions of their words', () => {
    const [piece] = readPieces('checkout-service').pieces
    expect(piece?.offsets).toEqual([0, 8, 9, 16])
  })

  test('have the words to be learned with their terms', () => {
    const { pieces } = readPieces('The services of HTTP_404')
    expect(pieces.flatMap(({ learnt }) => learnt)).toEqual([
      { surface: 'services', term: 'servic' },
      { surface: 'http', term: 'http' },
    ])
  })

  test('of a text without words are none', () => expect(readPieces('🚀 -- !').pieces).toEqual([]))
})

describe('the dates of a text', () => {
  const termsOf = (text: string, firstWord = 0) =>
    readFoundTerms(text, readPieces(text), firstWord).map(({ term }) => term)

  test('are found with the ends of their texts', () => {
    const text = 'Paid on 8 May 2024'
    const found = readFoundTerms(text, readPieces(text), 0)
    expect(found).toContainEqual({ term: ':2024-05-08', end: text.length })
  })

  test('are left out if they end before the first word', () => {
    const text = '8 May 2024: more'
    const all = termsOf(text)
    expect(all).toContain(':2024-05-08')
    expect(termsOf(text, 10)).toEqual([])
    expect(termsOf(text, 9)).toEqual(all)
  })

  test('are none in a text that has none', () => expect(termsOf('nothing of the kind')).toEqual([]))
})
