import { memoised } from '../../ground/lib/memoised.ts'
import { dateHint } from './dates.ts'
import { stemEnglish } from './english.ts'
import { foldCase, foldDiacritics } from './fold.ts'
import { functionWordMask, isStopWord, type Language, languageOfWord, letterMask, stem } from './languages.ts'
import { isMonthName } from './month-names.ts'
import { isVocabularyWord } from './vocabulary.ts'

/** One word, number or part of an identifier; `from` and `to` are UTF-16 offsets in its chunk. */
export type Unit = {
  from: number
  to: number
  term: string
  surface: string
  isStop: boolean
  /** Whether it goes into the vocabulary. */
  isLearnt: boolean
}

/** The content of a chunk of text between spaces: its units in order, and the terms for the whole chunk. */
export type Chunk = {
  text: string
  units: Unit[]
  wholes: string[]
  functionWordMask: number
  letterMask: number
  /** Whether it may be a date or part of one; a text without such a chunk has no date. */
  mayBeDate: boolean
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々ﾞﾟ]+/gu
const hasUnspaced =
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uffdc\ud840-\ud88f]/
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u
const simpleWord = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/
const part = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}\u00ad\u200c\u200d]+|\p{L}+|\p{N}+/gu
const number = /^\p{N}+(?:[.,:]\p{N}+)*$/u
/** A number after a "v" is a version, and questions can ask for a version by its beginning. */
const version = /^v(?=\d+(?:\.\d+)+$)/i
/** A number with decimals and its unit ("2.5M", "1.5kg"). */
const measure = /^(\p{N}+(?:[.,]\p{N}+)+)\p{L}{1,3}$/u
/** "v2.0.1-beta.3" */
const prerelease = /^v?(\d{1,9}(?:\.\d{1,9})+)-[a-z]/i
const versionOfThree = /^\d{1,9}(?:\.\d{1,9}){2,4}$/
const contraction = /['’](?:s|t|m|d|re|ve|ll)$/iu
/**
 * Normalising compatibility characters produces the last three ("⑴" is "(1)"): they would end a term in
 * the index.
 */
const unwanted = /['’ ()]/g
const termLengthMax = 64

/** Not made at the start: making one takes a thirtieth of it. */
let segmenter: Intl.Segmenter | undefined

const shorten = (term: string) =>
  term.length > termLengthMax ? term.slice(0, termLengthMax).toWellFormed() : term

function toUnit(text: string, from: number, to: number, language: Language, isTechnical: boolean): Unit {
  // Shortened first: the time a stemmer takes grows with the square of a word's length.
  const surface = shorten(foldCase(text.slice(from, to)).replaceAll(unwanted, ''))
  const folded = foldDiacritics(surface)
  const wordLanguage = languageOfWord(surface, language)
  // Anything longer is not a word of any language, and stemmers take time quadratic in its length.
  const isWord = !isTechnical && surface.length <= termLengthMax
  const term = isWord ? stem(surface, wordLanguage) : folded
  const isStop = !isTechnical && isStopWord(folded, wordLanguage)
  return { from, to, term: shorten(term), surface: shorten(folded), isStop, isLearnt: false }
}

/** An identifier is split between letters and digits only once ("sha256"), so that a hash stays whole. */
function splitIdentifier(text: string): [number, number][] {
  const parts: [number, number][] = []
  for (const match of text.matchAll(part)) parts.push([match.index, match.index + match[0].length])
  const mixed = /\p{L}\p{N}|\p{N}\p{L}/gu
  const changes = text.match(mixed)?.length ?? 0
  return changes > 1 && !/[_.\-:/\\@&]/.test(text) ? [[0, text.length]] : parts
}

/** Cached, since the words of such a text recur, and folding them takes most of its time. */
const segmentReaders = new Map<Language, (segment: string) => Unit>()
const segmentsMax = 10_000
const segmentLengthMax = 8

function segmentReaderOf(language: Language): (segment: string) => Unit {
  let reader = segmentReaders.get(language)
  if (reader === undefined) {
    const read = (segment: string) => toUnit(segment, 0, segment.length, language, false)
    reader = memoised(segmentsMax, read, segmentLengthMax)
    segmentReaders.set(language, reader)
  }
  return reader
}

function readUnspaced(text: string, offset: number, language: Language, chunk: Chunk): void {
  const words = new Set<string>()
  const readSegment = segmentReaderOf(language)
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue
    const unit = readSegment(segment)
    words.add(unit.term)
    chunk.units.push({ ...unit, from: offset + index, to: offset + index + segment.length })
  }
  if (!ideographic.test(text)) return
  const letters = [...foldDiacritics(foldCase(text))]
  for (let i = 0; i + 1 < letters.length; i += 1) {
    const bigram = `${letters[i]}${letters[i + 1]}`
    if (!words.has(bigram)) chunk.wholes.push(bigram)
  }
}

function readCompound(text: string, offset: number, language: Language, chunk: Chunk): void {
  const parts = splitIdentifier(text)
  const isTechnical = /[_\p{N}]|\p{Ll}\p{Lu}/u.test(text)
  for (const [from, to] of parts) {
    const unit = toUnit(text, from, to, language, false)
    chunk.units.push({ ...unit, from: offset + from, to: offset + to, isStop: unit.isStop && !isTechnical })
  }
  const whole = foldDiacritics(foldCase(text)).replaceAll(/[^\p{L}\p{N}.+#]|(?<!\p{N})\.|\.(?!\p{N})/gu, '')
  const isNew = parts.length > 1 || whole !== chunk.units.at(-1)?.surface
  if (isNew && whole.length > 1 && whole.length <= termLengthMax) chunk.wholes.push(whole)
  const release = prerelease.exec(text)?.[1]
  if (release !== undefined) chunk.wholes.push(release, ...beginningsOf(release))
}

function readSpaced(text: string, offset: number, language: Language, chunk: Chunk): void {
  if (simpleWord.test(text)) {
    const unit = toUnit(text, 0, text.length, language, false)
    chunk.units.push({ ...unit, from: offset, to: offset + text.length })
  } else if (number.test(text)) {
    readNumber(text, offset, language, chunk)
  } else if (version.test(text)) {
    chunk.wholes.push(shorten(foldCase(text)))
    readNumber(text.slice(1), offset + 1, language, chunk)
  } else if (measure.test(text)) {
    readMeasure(text, offset, language, chunk)
  } else if (/['’]/.test(text)) {
    readApostrophes(text, offset, language, chunk)
  } else if (/[/\\@&,]/.test(text)) {
    for (const match of text.matchAll(/[^/\\@&,]+/g)) {
      readSpaced(match[0], offset + match.index, language, chunk)
    }
  } else {
    readCompound(text, offset, language, chunk)
  }
}

function readNumber(text: string, offset: number, language: Language, chunk: Chunk): void {
  const unit = toUnit(text, 0, text.length, language, true)
  // SQLite's index would split a term at a comma.
  const plain = unit.term.replaceAll(/,(?=\p{N}{3}(?!\p{N}))/gu, '').replaceAll(',', '.')
  chunk.units.push({ ...unit, term: plain, surface: plain, from: offset, to: offset + text.length })
  chunk.wholes.push(...beginningsOf(text))
}

function readMeasure(text: string, offset: number, language: Language, chunk: Chunk): void {
  const end = measure.exec(text)![1]!.length
  readNumber(text.slice(0, end), offset, language, chunk)
  const unit = toUnit(text, end, text.length, language, false)
  chunk.wholes.push(`${chunk.units.at(-1)!.term}${unit.surface}`)
  chunk.units.push({ ...unit, from: offset + end, to: offset + text.length, isStop: false })
}

/** The prefixes by which a question can ask for a version ("3.53" for "3.53.1"), the longest first. */
function beginningsOf(version: string): string[] {
  if (!versionOfThree.test(version)) return []
  const parts = version.split('.')
  return parts.slice(2).map((_, i) => parts.slice(0, parts.length - 1 - i).join('.'))
}

/**
 * English endings are removed ("Anna's", "don't"); in other languages the apostrophe separates words
 * ("l'homme").
 */
function readApostrophes(text: string, offset: number, language: Language, chunk: Chunk): void {
  const ending = contraction.exec(text)
  if (ending && language === 'en') {
    const base = text.slice(0, ending.index)
    const isNegation = /t$/i.test(ending[0])
    if (isNegation) {
      const unit = toUnit(text, 0, text.length, language, false)
      chunk.units.push({ ...unit, from: offset, to: offset + text.length })
    } else readSpaced(base, offset, language, chunk)
    return
  }
  for (const match of text.matchAll(/[^'’]+/g)) readSpaced(match[0], offset + match.index, language, chunk)
}

/** Reads one chunk that `findChunks` returned. */
export function readChunk(text: string, language: Language): Chunk {
  const word = readPlainWord(text, language)
  return word === undefined ? readAnyChunk(text, language) : toChunk(text, word)
}

const toChunk = (
  text: string,
  { surface, term, isStop, isLearnt, isMonth, functionWordMask }: PlainWord,
): Chunk => ({
  text,
  units: [{ from: 0, to: text.length, term, surface, isStop, isLearnt }],
  wholes: [],
  functionWordMask,
  letterMask: 0,
  mayBeDate: isMonth,
})

function readAnyChunk(text: string, language: Language): Chunk {
  const chunk: Chunk = {
    text,
    units: [],
    wholes: [],
    functionWordMask: 0,
    letterMask: letterMask(text),
    mayBeDate: dateHint.test(text),
  }
  let end = 0
  if (hasUnspaced.test(text)) {
    for (const match of text.matchAll(unspaced)) {
      if (match.index > end) readSpaced(text.slice(end, match.index), end, language, chunk)
      readUnspaced(match[0], match.index, language, chunk)
      end = match.index + match[0].length
    }
  }
  if (end < text.length) readSpaced(text.slice(end), end, language, chunk)
  chunk.units = chunk.units.filter((unit) => unit.term !== '')
  for (const unit of chunk.units) unit.isLearnt = !unit.isStop && isVocabularyWord(unit.surface)
  chunk.mayBeDate ||= chunk.units.some((unit) => isMonthName(unit.surface))
  const first = chunk.units[0]
  const isWord = chunk.units.length <= 2 && chunk.wholes.length === 0 && first !== undefined
  if (isWord && first.surface.length > 1) chunk.functionWordMask = functionWordMask(first.surface)
  return chunk
}

/**
 * A word of plain letters, with nothing to fold and no number to find. Most chunks of a text are plain
 * words.
 */
export type PlainWord = {
  surface: string
  term: string
  isStop: boolean
  /** Whether it goes into the vocabulary. */
  isLearnt: boolean
  isMonth: boolean
  functionWordMask: number
}

const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/
/** Length limits of the vocabulary, which are within those of terms. */
const [learntLengthMin, lengthMax] = [3, 40]

/** The result of `readChunk` for a plain word, without its individual steps; undefined for other chunks. */
export function readPlainWord(text: string, language: Language): PlainWord | undefined {
  if (text.length > lengthMax || !plainWord.test(text)) return undefined
  const surface = text.toLowerCase()
  const isStop = isStopWord(surface, language)
  return {
    surface,
    term: language === 'en' ? stemEnglish(surface) : stem(surface, language),
    isStop,
    isLearnt: !isStop && surface.length >= learntLengthMin,
    isMonth: isMonthName(surface),
    functionWordMask: surface.length > 1 ? functionWordMask(surface) : 0,
  }
}
