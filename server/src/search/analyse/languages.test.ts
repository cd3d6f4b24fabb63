import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lines } from '../../../test/texts.ts'
import { analyse } from './analyser.ts'
import {
  detectLanguage,
  functionWordMask,
  isStopWord,
  type Language,
  languageOfWord,
  latinLanguages,
  letterMask,
  speakForEnglish,
  stem,
} from './languages.ts'

const bit = (language: (typeof latinLanguages)[number]) => 1 << latinLanguages.indexOf(language)

describe('the language of a text', () => {
  test.each<[Language, string]>([
    ['en', 'Where did we put the keys of the old house?'],
    ['de', 'Wo haben wir die Schlüssel des alten Hauses hingelegt?'],
    ['fr', 'Où avons-nous mis les clés de la vieille maison ?'],
    ['es', '¿Dónde pusimos las llaves de la casa vieja?'],
    ['it', 'Dove abbiamo messo le chiavi della vecchia casa?'],
    ['pt', 'Onde é que nós pusemos as chaves da casa velha?'],
    ['nl', 'Waar hebben wij de sleutels van het oude huis gelaten?'],
  ])('%s is known by its function words', (language, text) => {
    expect(analyse(text)).toMatchObject({ language, isCertain: true })
  })

  test.each(['Los Angeles', 'El Paso, Texas', 'Café Rossi', 'Kubernetes', '42', '', 'La Paz'])(
    'is English, without being certain, for a name such as "%s"',
    (text) => expect(analyse(text)).toMatchObject({ language: 'en', isCertain: false }),
  )

  test('is recognised by its letters if no word tells it', () => {
    expect(analyse('Spaß Überraschung').language).toBe('de')
    expect(analyse('Mañana ¿señor').language).toBe('es')
    expect(analyse('irmãos limões').language).toBe('pt')
  })

  test('is not recognised by the letters of a name in an English sentence', () => {
    expect(analyse('The bus to Düsseldorf is late, and so is Müller').language).toBe('en')
  })

  test('is not told by the letters of a name among English words', () => {
    const english = ['Speaker dinner 22 Feb, Brauhaus Früh, 40 seats', 'Zoë Müller prefers aisle seats']
    for (const text of english) expect(analyse(text)).toMatchObject({ language: 'en', isCertain: false })
    const others = ['Kündigungsfrist: 3 Monate', 'Frühstück 8 Uhr, Küche', 'Née à Genève']
    for (const text of others) expect(analyse(text).language, text).not.toBe('en')
    expect(analyse('Der Flug nach Düsseldorf ist late, express, standby, cheap').language).toBe('de')
  })

  test('is used as given, if the caller knows it', () => {
    expect(analyse('The old house', 'de')).toMatchObject({ language: 'de', isCertain: true })
  })

  test('is English unless another language has two votes and more than English', () => {
    const chunk = (functionWords: number, letters = 0) => ({
      functionWordMask: functionWords,
      letterMask: letters,
    })
    expect(detectLanguage([chunk(bit('de'))])).toEqual({ language: 'en', isCertain: false })
    expect(detectLanguage([chunk(bit('de')), chunk(bit('de'))])).toEqual({ language: 'de', isCertain: true })
    const mixed = [chunk(bit('de')), chunk(bit('de')), chunk(bit('en')), chunk(bit('en'))]
    expect(detectLanguage(mixed).language).toBe('en')
    expect(detectLanguage([...mixed, chunk(bit('de'))]).language).toBe('de')
    expect(detectLanguage([chunk(0, bit('de'))]).language).toBe('de')
    expect(detectLanguage([chunk(bit('en')), chunk(0, bit('de'))]).language).toBe('en')
  })

  test('does not depend on word order', () => {
    const mask = fc.nat((1 << latinLanguages.length) - 1)
    const chunks = fc.array(fc.record({ functionWordMask: mask, letterMask: mask }), { maxLength: 8 })
    fc.assert(
      fc.property(chunks, (some) => {
        expect(detectLanguage(some.toReversed())).toEqual(detectLanguage(some))
      }),
    )
  })
})

describe('the language of a word', () => {
  test('is that of its script, in any text', () => {
    expect(languageOfWord('привет', 'en')).toBe('ru')
    expect(languageOfWord('مكتبة', 'de')).toBe('ar')
  })

  test('is that of the text, if its script does not tell', () => {
    expect(languageOfWord('haus', 'de')).toBe('de')
    expect(languageOfWord('école', 'fr')).toBe('fr')
    expect(languageOfWord('ελλαδα', 'it')).toBe('it')
    expect(languageOfWord('東京', 'en')).toBe('en')
  })
})

describe('function words', () => {
  test('do not count only in their own language', () => {
    expect(isStopWord('the', 'en')).toBe(true)
    expect(isStopWord('the', 'de')).toBe(false)
    expect(isStopWord('den', 'de')).toBe(true)
    expect(isStopWord('den', 'en')).toBe(false)
    expect(isStopWord('это', 'ru')).toBe(true)
    expect(isStopWord('house', 'en')).toBe(false)
  })

  test('are known without their diacritics', () => {
    expect(isStopWord('uber', 'de')).toBe(true)
    expect(isStopWord('etait', 'fr')).toBe(true)
    expect(isStopWord('nao', 'pt')).toBe(true)
  })

  test('vote for each language that has them', () => {
    expect(functionWordMask('the')).toBe(bit('en'))
    expect(functionWordMask('in')).toBe(bit('en') | bit('de') | bit('it') | bit('nl'))
    expect(functionWordMask('der')).toBe(bit('de') | bit('nl'))
    expect(functionWordMask('house')).toBe(0)
    expect(functionWordMask('это')).toBe(0)
    expect(functionWordMask('constructor')).toBe(0)
  })

  test('vote for English, against it, or neither', () => {
    expect(speakForEnglish(bit('en'))).toBe(1)
    expect(speakForEnglish(bit('en') | bit('de'))).toBe(0)
    expect(speakForEnglish(0)).toBe(0)
    expect(speakForEnglish(bit('fr'))).toBe(-1)
    expect(speakForEnglish(bit('fr') | bit('es'))).toBe(-1)
  })
})

test.each([
  ['straße', bit('de')],
  ['garçon', bit('fr')],
  ['mañana', bit('es')],
  ['irmão', bit('pt')],
  ['ÜBER', bit('de')],
  ['ção', bit('fr') | bit('pt')],
  ['café', 0],
  ['house', 0],
  ['東京', 0],
])('the letters of %s suggest languages', (word, mask) => expect(letterMask(word)).toBe(mask))

describe('stems', () => {
  test.each<[Language, string[]]>([
    ['en', ['connect', 'connected', 'connecting', 'connection', 'connections']],
    ['de', ['haus', 'häuser', 'hauses', 'häusern']],
    ['fr', ['continuer', 'continué', 'continuation', 'continuait']],
    ['es', ['amigo', 'amigos', 'amiga', 'amigas']],
    ['it', ['abbandonare', 'abbandonato', 'abbandonata', 'abbandonati']],
    ['pt', ['menino', 'menina', 'meninos', 'meninas']],
    ['nl', ['boek', 'boeken']],
    ['ru', ['книга', 'книги', 'книгу', 'книгой']],
    ['ar', ['كتاب', 'الكتاب', 'والكتاب', 'وبالكتاب']],
  ])('lead the forms of a word to one term in %s', (language, forms) => {
    expect([...new Set(forms.map((form) => stem(form, language)))]).toHaveLength(1)
  })

  test('of different words stay apart', () => {
    expect(stem('university', 'en')).not.toBe(stem('unit', 'en'))
    expect(stem('hausen', 'en')).not.toBe(stem('haus', 'en'))
  })

  test('have no diacritics, and no word is without one', () => {
    const words = lines.flatMap((line) => line.toLowerCase().match(/\p{L}{2,}/gu) ?? [])
    for (const language of [...latinLanguages, 'ru', 'ar'] as const)
      for (const word of words) {
        const term = stem(word, language)
        expect(term, word).not.toBe('')
        expect(term.normalize('NFD'), word).not.toMatch(/[\u0300-\u036f]/)
      }
  })
})
