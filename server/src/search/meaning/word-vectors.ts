import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { matchesOf } from '../../ground/lib/matches.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import { findOtherLanguage, toEnglishWords } from './english-words.ts'
import { type Has, toKeys, toKindKeys, type Use } from './keys.ts'
import { toBase } from './kin.ts'

/** Made by `scripts/distil-words.ts`, which describes it. */
const file = new URL('./word-vectors.bin', import.meta.url)

export const dimensions = 128
/** A number of a text's vector, which has length 1, is stored in steps of this size. */
const stepsPerUnit = 200
/** The product of two vectors, in steps, if they are the same. */
export const productOfSame = stepsPerUnit ** 2

type Words = {
  places: Map<string, number>
  /** So many words of the language come first, then the keys of function words and of kinds of values. */
  frequent: number
  scales: Float32Array
  levels: Uint8Array
  common: Float32Array
  /** The meanings of single words, as far as they were compared. */
  units: Int8Array[]
}

/** Loaded at first use, which takes 20 ms. */
let words: Words | undefined

function load(): Words {
  const { buffer, byteOffset, byteLength } = gunzipSync(readFileSync(file))
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength)
  const head = new DataView(bytes)
  const [frequent, count] = [head.getUint32(0, true), head.getUint32(4, true)]
  const common = new Float32Array(bytes, 8, dimensions)
  const scales = new Float32Array(bytes, 4 * (2 + dimensions), count)
  const levels = new Uint8Array(bytes, 4 * (2 + dimensions + count), (count * dimensions) / 2)
  const text = Buffer.from(bytes, 4 * (2 + dimensions + count) + levels.length).toString('latin1')
  const places = new Map(text.split('\n').map((word, place) => [word, place]))
  return { places, frequent, scales, levels, common, units: [] }
}

/** Whether a lower-case word, spelt so, is one of the 20,000 English ones that have a vector. */
export function isFrequentWord(word: string): boolean {
  words ??= load()
  return (words.places.get(word) ?? words.frequent) < words.frequent
}

/** Whether a lower-case word, or one that it is a form of, has a vector. */
export const isKnownWord = (word: string): boolean => placeOf(word) !== undefined

/** Of the word or of one that it is a form of. */
function placeOf(word: string): number | undefined {
  words ??= load()
  return words.places.get(word) ?? words.places.get(toBase(word, isFrequentWord) ?? '')
}

/** The share of its weight that the most common word keeps. */
const rarityMin = 0.6

/** How rare a lower-case word is in English: 1 unless it is a frequent word, then less the more frequent it is. */
export function rarityOf(word: string): number {
  words ??= load()
  const place = placeOf(word) ?? words.frequent
  if (place >= words.frequent) return 1
  return rarityMin + ((1 - rarityMin) * Math.log(place + 1)) / Math.log(words.frequent)
}

const letters = /\p{L}+/gu

/** The places of the known words of a text, or of the English ones for its words, and how much each counts. */
type Reading = { places: number[]; shares: number[] }

function readText(text: string, { places, frequent }: Words, use: Use): Reading {
  const lower = text.toLowerCase()
  const own = matchesOf(letters, lower).map(([word]) => word)
  const reading: Reading = { places: [], shares: [] }
  const add = (word: string, share: number) => {
    const place = placeOf(word)
    if (place === undefined) return
    reading.places.push(place)
    reading.shares.push(share)
  }
  const has: Has = { word: isFrequentWord, key: (key) => places.has(key) }
  const language = findOtherLanguage(lower, own, isFrequentWord)
  if (language === undefined) {
    for (const key of toKeys(text, own, use, has)) add(key, 1)
    if (reading.places.every((place) => place >= frequent)) return { places: [], shares: [] }
  } else {
    for (const english of toEnglishWords(lower, own, language, use))
      for (const word of english) add(word, 1 / english.length)
    if (use === 'said') for (const key of toKindKeys(text)) add(key, 1)
  }
  return reading
}

/** Whether most words of a text that may be English are known, or those of another language that it is in. */
export function isUnderstood(text: string, mayBeEnglish: boolean): boolean {
  const lower = text.toLowerCase()
  const own = matchesOf(letters, lower).map(([word]) => word)
  if (findOtherLanguage(lower, own, isFrequentWord) !== undefined) return true
  return mayBeEnglish && 2 * own.filter(isKnownWord).length >= own.length
}

/**
 * The places of a text's known words but function words, each once, as the characters of a string: the smallest list.
 */
export type KnownWords = string

/** The meaning of a text, and its known words but function words, or the English ones for its words. */
export type Meant = { vector: Int8Array; words: KnownWords }

/** Undefined if a text has no known word. */
export function toMeant(text: string): Meant | undefined {
  words ??= load()
  const { frequent } = words
  const reading = readText(text, words, 'said')
  if (reading.places.length === 0) return undefined
  const known = new Set(reading.places.filter((place) => place < frequent))
  return { vector: sumUp(reading, words), words: String.fromCharCode(...known) }
}

/**
 * The meaning of a text: the sum of the vectors of its words, or of the English ones for them, the rarer the longer,
 * without the direction that all texts share (Arora, Liang and Ma 2017). Undefined if it has no known word.
 */
export function toTextVector(text: string, use: Use = 'said'): Int8Array | undefined {
  words ??= load()
  const reading = readText(text, words, use)
  return reading.places.length === 0 ? undefined : sumUp(reading, words)
}

function sumUp({ places, shares }: Reading, known: Words): Int8Array {
  const sum = new Float32Array(dimensions)
  for (let i = 0; i < places.length; i += 1) addWord(sum, places[i]!, shares[i]!, known)
  return toUnit(sum, known.common)
}

function addWord(sum: Float32Array, place: number, share: number, { scales, levels }: Words): void {
  const scale = share * scales[place]!
  const from = (place * dimensions) / 2
  for (let i = 0; i < dimensions; i += 2) {
    const pair = levels[from + (i >> 1)]!
    sum[i]! += scale * ((pair & 15) - levelOfZero)
    sum[i + 1]! += scale * ((pair >> 4) - levelOfZero)
  }
}

/** The cosine of the vectors of two texts; 0 if one of them is unknown. */
export function likenessOf(one: Int8Array | undefined, other: Int8Array | undefined): number {
  if (one === undefined || other === undefined) return 0
  let product = 0
  for (let i = 0; i < dimensions; i += 1) product += one[i]! * other[i]!
  return product / productOfSame
}

const likenessesMax = 200
const percent = 100
const unset = -128

/** The likeness of a word to each known word, in percent, as far as it was asked for. */
const likenessesOf = memoised(likenessesMax, () => new Int8Array(words!.frequent).fill(unset))

/** Tells how like a lower-case word the most alike word of a text is, 0 to 1. Undefined if it has no vector. */
export function toLikeness(word: string): ((text: KnownWords) => number) | undefined {
  words ??= load()
  const known = words
  const place = placeOf(word)
  if (place === undefined) return undefined
  const vector = unitOf(place, known)
  const likenesses = likenessesOf(word)
  return (text) => {
    let most = 0
    for (let i = 0; i < text.length; i += 1) {
      const other = text.charCodeAt(i)
      if (likenesses[other] === unset)
        likenesses[other] = Math.round(percent * Math.max(0, likenessOf(vector, unitOf(other, known))))
      if (likenesses[other]! > most) most = likenesses[other]!
    }
    return most / percent
  }
}

function unitOf(place: number, known: Words): Int8Array {
  known.units[place] ??= sumUp({ places: [place], shares: [1] }, known)
  return known.units[place]
}

const levelOfZero = 8

function toUnit(sum: Float32Array, common: Float32Array): Int8Array {
  let share = 0
  for (let i = 0; i < dimensions; i += 1) share += sum[i]! * common[i]!
  let squares = 0
  for (let i = 0; i < dimensions; i += 1) {
    sum[i]! -= share * common[i]!
    squares += sum[i]! ** 2
  }
  const factor = stepsPerUnit / (Math.sqrt(squares) || 1)
  const vector = new Int8Array(dimensions)
  for (let i = 0; i < dimensions; i += 1)
    vector[i] = Math.max(-127, Math.min(127, Math.round(sum[i]! * factor)))
  return vector
}
