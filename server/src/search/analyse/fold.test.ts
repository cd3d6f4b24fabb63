import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMixture, anyText } from '../../../test/texts.ts'
import { foldCase, foldDiacritics } from './fold.ts'

const fold = (text: string) => foldDiacritics(foldCase(text))

describe('a folded text', () => {
  test.each([
    ['Zürich', 'zurich'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Œuvre', 'oeuvre'],
    ['Ærø', 'aero'],
    ['Łódź', 'lodz'],
    ['Þórður', 'thordur'],
    ['Đặng', 'dang'],
    ['İstanbul', 'istanbul'],
    ['Diyarbakır', 'diyarbakir'],
    ['Ёлка', 'елка'],
    ['Ελλάδα', 'ελλαδα'],
  ])('writes %s as %s', (text, folded) => expect(fold(text)).toBe(folded))

  test.each([
    ['ＦＵＬＬ', 'full'],
    ['ﬁne', 'fine'],
    ['№5', 'no5'],
    ['x²', 'x2'],
    ['ｶﾀｶﾅ', 'かたかな'],
  ])('writes the compatibility characters of %s as %s', (text, folded) => expect(fold(text)).toBe(folded))

  test.each([
    ['soft hyphens', 'so\u00adft', 'soft'],
    ['joiners', 'a\u200db\u200cc', 'abc'],
    ['direction marks and byte order marks', '\ufeff\u200eabc', 'abc'],
    ['variation selectors', '❤\ufe0f', '❤'],
    ['Arabic lengthening', 'كتـــاب', 'كتاب'],
    ['Arabic vowels', 'كِتَابٌ', 'كتاب'],
    ['Hebrew vowels', 'שָׁלוֹם', 'שלום'],
  ])('has no %s', (_, text, folded) => expect(fold(text)).toBe(folded))

  test('writes both spellings of an Arabic letter in one way', () => {
    expect(fold('مكتبة')).toBe(fold('مكتبه'))
    expect(fold('على')).toBe(fold('علي'))
  })

  test('writes katakana as hiragana and traditional characters as simplified ones', () => {
    expect(fold('トウキョウ')).toBe(fold('とうきょう'))
    expect(fold('臺灣')).toBe(fold('台湾'))
  })

  test('keeps marks that make a different word', () => {
    expect(fold('がくせい')).not.toBe(fold('かくせい'))
    expect(fold('की')).not.toBe(fold('का'))
    expect(fold('サービス')).toBe('さーびす')
  })

  test('keeps diacritics as long as stemmers need them', () => {
    expect(foldCase('HÄUSER')).toBe('häuser')
    expect(foldCase('e\u0301te\u0301')).toBe('été')
  })

  test('does not depend on how accents are composed', () => {
    fc.assert(
      fc.property(fc.oneof(anyMixture(6), anyText), (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')))
      }),
      { numRuns: 500 },
    )
  })

  test('does not change when it is folded again', () => {
    fc.assert(
      fc.property(anyMixture(6), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      { numRuns: 300 },
    )
  })

  test('is the same in capitals, in alphabets that have them', () => {
    const letters = [...'abcxyzäöüßàçéñøæœłđабвгдёжщъэюя']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 12 }), (some) => {
        const word = some.join('')
        expect(fold(word.toUpperCase())).toBe(fold(word))
      }),
    )
  })
})
