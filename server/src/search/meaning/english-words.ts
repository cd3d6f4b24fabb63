import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
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
const languages = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'ja', 'zh'] as const
type Known = (typeof languages)[number]
const lengthBytes = 4
/** Those in Latin letters, which only their words tell apart. */
const latin = ['de', 'fr', 'es', 'it', 'pt', 'nl'] as const satisfies Known[]
type Latin = (typeof latin)[number]
type Spaced = Latin | 'ru'
const isSpaced = (language: Known) => language !== 'ja' && language !== 'zh'

/** Sorted lines, each a word or stem and its English words, and where they start. */
type Lines = { text: string; starts: readonly number[] }

const loaded = new Map<Known, Lines>()

/** The file has the length of each language's compressed lines, then those. A language takes 2 ms, once. */
function load(language: Known): Lines {
  const bytes = readFileSync(file)
  const lengths = languages.map((_, i) => bytes.readUInt32LE(i * lengthBytes))
  const place = languages.indexOf(language)
  const start = lengths.slice(0, place).reduce((sum, length) => sum + length, lengthBytes * languages.length)
  const text = brotliDecompressSync(bytes.subarray(start, start + lengths[place]!)).toString()
  const starts: number[] = []
  for (let at = 0; at < text.length; at = text.indexOf('\n', at) + 1) starts.push(at)
  const lines = { text, starts }
  loaded.set(language, lines)
  return lines
}

/**
 * The English words of a word or stem, separated by spaces. They are searched where they stand: a map would take 10 ms
 * a language to make.
 */
function lookUp(language: Known, word: string): string | undefined {
  const { text, starts } = loaded.get(language) ?? load(language)
  let [from, to] = [0, starts.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const order = compareAt(text, starts[middle]!, word)
    if (order === 0) {
      const start = starts[middle]! + word.length + 1
      return text.slice(start, text.indexOf('\n', start))
    }
    if (order < 0) from = middle + 1
    else to = middle
  }
  return undefined
}

/** Below 0 if the word of the line that starts there comes before another. */
function compareAt(text: string, start: number, word: string): number {
  for (let i = 0; i < word.length; i += 1) {
    const order = text.charCodeAt(start + i) - word.charCodeAt(i)
    if (order !== 0) return order
  }
  return text[start + word.length] === ' ' ? 0 : 1
}

/** Chinese characters and kana. */
const unspaced = /[\u3040-\u30ff\u3400-\u9fff]/
const kana = /[\u3040-\u30ff]/
const cyrillic = /\p{Script=Cyrillic}/u
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
  if (!isAscii && 2 * words.filter((word) => cyrillic.test(word)).length > words.length) return 'ru'
  const maskOf = isAscii ? functionWordMask : maskOfAnyWord
  let votes = 0
  for (const word of words) {
    const mask = isEnding(word) ? 0 : maskOf(word)
    if (mask !== 0) votes += speakForEnglish(mask)
  }
  // Without function words, most words are also of another language ("menu", "garage").
  if (votes > 0 || (votes === 0 && words.some(isEnglish))) return undefined
  const told = words.filter((word) => !isEnding(word))
  return findLatin(told, told.map(maskOf), isEnglish)
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
function findLatin(
  words: readonly string[],
  masks: readonly number[],
  isEnglish: (word: string) => boolean,
): Latin | undefined {
  const told = latinLanguages.map((_, place) => masks.filter((mask) => mask & (1 << place)).length)
  const most = Math.max(...told)
  const likely = latin.filter((language) => told[latinLanguages.indexOf(language)] === most)
  const [best] = likely
    .map((language) => ({ language, count: countKnown(words, language) }))
    .sort((one, other) => other.count - one.count)
  if (best === undefined) return undefined
  const ofBest = best.count + most
  const ofEnglish = words.filter(isEnglish).length + told[latinLanguages.indexOf('en')]!
  return ofBest > ofEnglish && 2 * ofBest >= words.length ? best.language : undefined
}

/** Longer ones are no words. */
const lengthMax = 40

const isContent = (word: string, language: Spaced) =>
  word.length <= lengthMax && !isStopWord(foldDiacritics(word), language)

function countKnown(words: readonly string[], language: Spaced): number {
  return words.filter(
    (word) => isContent(word, language) && lookUp(language, stem(word, language)) !== undefined,
  ).length
}

/** Unknown words may be English. */
function readSpaced(words: readonly string[], language: Spaced, use: Use): (readonly string[])[] {
  const keys = keysOf.get(language)![use]
  return words.flatMap((word, i) => {
    const key = keys.get(`${word} ${words[i + 1]}`) ?? keys.get(word)
    if (key !== undefined) return [[key]]
    if (!isContent(word, language)) return []
    const found = readParts(language, stem(word, language))
    return found.length === 0 ? [[word]] : found.map((english) => english.split(' '))
  })
}

const compoundMin = 7
const partMin = 3
const lastPartMin = 4
/** Shorter ends are often no part ("Sanierung" has no "Niere"). */
const aloneMin = 5
const hasCompounds = (language: Known) => language === 'de' || language === 'nl'
/** What joins the parts of a compound. */
const links = ['', 's', 'es', 'n', 'en', 'er', 'e']

/** What a stem or else the parts of a compound mean; its last part alone if the others are unknown. */
function readParts(language: Known, word: string): string[] {
  const whole = lookUp(language, word)
  if (whole !== undefined) return [whole]
  if (word.length < compoundMin || !hasCompounds(language)) return []
  let longest: string | undefined
  for (let at = partMin; at <= word.length - lastPartMin; at += 1) {
    const last = lookUp(language, word.slice(at))
    if (last === undefined) continue
    if (word.length - at >= aloneMin) longest ??= last
    const first = word.slice(0, at)
    for (const link of links.filter((one) => first.endsWith(one) && first.length - one.length >= partMin)) {
      const parts = readParts(language, first.slice(0, first.length - link.length))
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
  const [own, other]: [Known, Known] = kana.test(text) ? ['ja', 'zh'] : ['zh', 'ja']
  const keys = keysOf.get(own)![use]
  return matchesOf(runs, text.slice(0, readLengthMax)).flatMap(([run]) => {
    if (!unspaced.test(run)) return [[run]]
    const folded = foldDiacritics(run)
    const words: string[][] = []
    for (let at = 0; at < folded.length; ) {
      let length = Math.min(unspacedLengthMax, folded.length - at)
      let english: string | undefined
      for (; length > 0; length -= 1) {
        const part = folded.slice(at, at + length)
        english = lookUp(own, part) ?? lookUp(other, part)
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
