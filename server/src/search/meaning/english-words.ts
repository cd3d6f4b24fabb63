import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { matchesOf } from '../../ground/lib/matches.ts'
import { foldDiacritics } from '../analyse/fold.ts'
import {
  functionWordMask,
  isStopWord,
  latinLanguages,
  letterMask,
  speakForEnglish,
  stem,
} from '../analyse/languages.ts'
import { functionWords } from './function-words.ts'
import type { Use } from './keys.ts'

/** Made by `scripts/align-words.ts`, which describes it. */
const file = new URL('./english-words.bin', import.meta.url)

/** In the order of the file. */
const languages = ['de', 'fr', 'es', 'ja', 'zh'] as const
type Known = (typeof languages)[number]
/** Those in Latin letters, which only their words tell apart. */
const spaced = ['de', 'fr', 'es'] as const satisfies Known[]
type Spaced = (typeof spaced)[number]
const isSpaced = (language: Known) => spaced.some((one) => one === language)

/** The English words of a word or its stem, separated by spaces. */
type Dictionary = ReadonlyMap<string, string>

let sections: string[] | undefined
const dictionaries = new Map<Known, Dictionary>()

/** Read when a text in the language is met, which takes 6 to 17 ms, once. */
function dictionaryOf(language: Known): Dictionary {
  const known = dictionaries.get(language)
  if (known !== undefined) return known
  sections ??= gunzipSync(readFileSync(file)).toString().split('\n\n')
  const lines = sections[languages.indexOf(language)]!.split('\n')
  const dictionary = new Map(
    lines.map((line) => {
      const end = line.indexOf(' ')
      return [line.slice(0, end), line.slice(end + 1)]
    }),
  )
  dictionaries.set(language, dictionary)
  return dictionary
}

/** Chinese characters and kana. */
const unspaced = /[\u3040-\u30ff\u3400-\u9fff]/
const kana = /[\u3040-\u30ff]/
const ascii = /^\p{ASCII}*$/u
const runs = /[\u3040-\u30ff\u3400-\u9fff]+|[\p{L}--[\u3040-\u30ff\u3400-\u9fff]]+/gv

/** A language with English words, or one of those without spaces. */
type OtherLanguage = Spaced | 'unspaced'

/**
 * The language of a lower-case text with its words; undefined if it is English, or in one without English words.
 * @param isEnglish whether a word is one that has a vector
 */
export function findOtherLanguage(
  text: string,
  words: readonly string[],
  isEnglish: (word: string) => boolean,
): OtherLanguage | undefined {
  const isAscii = ascii.test(text)
  if (!isAscii && unspaced.test(text)) return 'unspaced'
  const maskOf = isAscii ? functionWordMask : maskOfAnyWord
  let votes = 0
  for (const word of words) {
    const mask = isEnding(word) ? 0 : maskOf(word)
    if (mask !== 0) votes += speakForEnglish(mask)
  }
  // Without function words, most words are also of another language ("menu", "garage").
  if (votes > 0 || (votes === 0 && words.some(isEnglish))) return undefined
  const told = words.filter((word) => !isEnding(word))
  return findSpaced(told, told.map(maskOf), isEnglish)
}

/** Of "Ada's" and "don't"; French writes "s" and "t" so as well. */
const isEnding = (word: string) => word === 's' || word === 't'

/** The English words, or the keys of function words, for each word of a lower-case text. */
export function toEnglishWords(
  text: string,
  words: readonly string[],
  language: OtherLanguage,
  use: Use,
): (readonly string[])[] {
  return language === 'unspaced' ? readUnspaced(text, use) : readSpaced(words, language, use)
}

const toKeysOf = (language: Known, use: Use): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(functionWords[language][use]).flatMap(([english, words]) =>
      words
        .split(', ')
        .map((word) => [
          isSpaced(language) ? word : foldDiacritics(word),
          use === 'asked' ? `?${english}` : english,
        ]),
    ),
  )

/** The function words of a language, each with the key of an English one. */
const keysOf = new Map(
  languages.map((language) => [
    language,
    { asked: toKeysOf(language, 'asked'), said: toKeysOf(language, 'said') },
  ]),
)

const maskOfAnyWord = (word: string) => functionWordMask(foldDiacritics(word)) | letterMask(word)

/** The language that has more function words and other words of a text than English has. */
function findSpaced(
  words: readonly string[],
  masks: readonly number[],
  isEnglish: (word: string) => boolean,
): Spaced | undefined {
  const told = latinLanguages.map((_, place) => masks.filter((mask) => mask & (1 << place)).length)
  const most = Math.max(...told)
  const likely = spaced.filter((language) => told[latinLanguages.indexOf(language)] === most)
  const [best] = likely
    .map((language) => ({ language, count: countKnown(words, language) }))
    .sort((one, other) => other.count - one.count)
  const ofEnglish = words.filter(isEnglish).length + told[latinLanguages.indexOf('en')]!
  return best !== undefined && best.count + most > ofEnglish ? best.language : undefined
}

/** Longer ones are no words. */
const lengthMax = 40

const isContent = (word: string, language: Spaced) =>
  word.length <= lengthMax && !isStopWord(foldDiacritics(word), language)

function countKnown(words: readonly string[], language: Spaced): number {
  const dictionary = dictionaryOf(language)
  return words.filter((word) => isContent(word, language) && dictionary.has(stem(word, language))).length
}

/** Unknown words may be English. */
function readSpaced(words: readonly string[], language: Spaced, use: Use): (readonly string[])[] {
  const dictionary = dictionaryOf(language)
  const keys = keysOf.get(language)![use]
  return words.flatMap((word, i) => {
    const key = keys.get(`${word} ${words[i + 1]}`) ?? keys.get(word)
    if (key !== undefined) return [[key]]
    if (!isContent(word, language)) return []
    const found = readParts(dictionary, stem(word, language))
    return found.length === 0 ? [[word]] : found.map((english) => english.split(' '))
  })
}

const compoundMin = 7
const partMin = 3
const lastPartMin = 4
/** Shorter ends are often no part ("Sanierung" has no "Niere"). */
const aloneMin = 5
/** What joins the parts of a German compound. */
const links = ['', 's', 'es', 'n', 'en', 'er', 'e']

/** What a stem or else the parts of a compound mean; its last part alone if the others are unknown. */
function readParts(dictionary: Dictionary, word: string): string[] {
  const whole = dictionary.get(word)
  if (whole !== undefined) return [whole]
  if (word.length < compoundMin) return []
  let longest: string | undefined
  for (let at = partMin; at <= word.length - lastPartMin; at += 1) {
    const last = dictionary.get(word.slice(at))
    if (last === undefined) continue
    if (word.length - at >= aloneMin) longest ??= last
    const first = word.slice(0, at)
    for (const link of links.filter((one) => first.endsWith(one) && first.length - one.length >= partMin)) {
      const parts = readParts(dictionary, first.slice(0, first.length - link.length))
      if (parts.length > 0) return [...parts, last]
    }
  }
  return longest === undefined ? [] : [longest]
}

const unspacedLengthMax = 6
/** A longer text, such as a question of 10,000 characters, would hold the main thread. */
const readLengthMax = 4_000

/** The longest words known, from the left. */
function readUnspaced(text: string, use: Use): (readonly string[])[] {
  const [own, other] = kana.test(text)
    ? [dictionaryOf('ja'), dictionaryOf('zh')]
    : [dictionaryOf('zh'), dictionaryOf('ja')]
  const keys = keysOf.get(kana.test(text) ? 'ja' : 'zh')![use]
  return matchesOf(runs, text.slice(0, readLengthMax)).flatMap(([run]) => {
    if (!unspaced.test(run)) return [[run]]
    const folded = foldDiacritics(run)
    const words: string[][] = []
    for (let at = 0; at < folded.length; ) {
      let length = Math.min(unspacedLengthMax, folded.length - at)
      let english: string | undefined
      for (; length > 0; length -= 1) {
        const part = folded.slice(at, at + length)
        english = own.get(part) ?? other.get(part)
        const key = keys.get(part)
        if (key !== undefined) words.push([key])
        if ((key ?? english) !== undefined) break
      }
      if (english !== undefined) words.push(english.split(' '))
      at += Math.max(1, length)
    }
    return words
  })
}
