import { toKin } from './kin.ts'

/** Function words mean something else in questions. */
export type Use = 'said' | 'asked'

/** The word by which a function word is looked up: "how many" is one, and asks for something else than "how". */
export function toFunctionWord(use: Use, word: string, next: string | undefined): string {
  if (use === 'said') return word
  return word === 'how' && next !== undefined && measured.has(next) ? `?how ${next}` : `?${word}`
}

const measured = new Set(['many', 'much', 'long', 'often', 'old', 'far', 'big'])

/** Which words and which keys of function words and of what is told have a vector. */
export type Has = { word: (word: string) => boolean; key: (key: string) => boolean }

/** The keys by which the lower-case words of an English text are looked up, and what kinds of values it tells. */
export function toKeys(text: string, words: readonly string[], use: Use, has: Has): string[] {
  const keys = words.flatMap((word, i) => {
    if (has.word(word)) return [word]
    const key = toFunctionWord(use, word, words[i + 1])
    return has.key(key) ? [key] : toKin(word, has.word)
  })
  return use === 'said' ? [...keys, ...toValueKeys(text)] : keys
}

/** In words, from two on: "one" is mostly a pronoun. */
const numbers = [
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen',
  '(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|dozen',
].join('|')
const amount = `(?:\\d[\\d.,]{0,12}|${numbers}|an?)`
const units = 'second|minute|hour|day|night|week|month|year|decade'
const months = 'january|february|march|april|june|july|august|september|october|november|december'
const days = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'
const measures = [
  'm|km|cm|mm|kg|g|mg|l|ml|GB|MB|KB|kB|TB|kW|V|W|ha|°C?|square',
  'litres?|liters?|met(?:re|er)s?|grams?|kilos?|miles?|inch(?:es)?|tons?|feet',
].join('|')
const endings = 'ts|js|py|md|json|ya?ml|toml|sh|com|org|net|io|dev'

/** Kinds of what facts tell, each with the key that stands for it. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ['#', new RegExp(`\\d|\\b(?:${numbers})\\b`, 'i')],
  ['#time', /\b\d\d?:\d\d\b|\b\d\d? ?[ap]\.?m\b|\b(?:noon|midnight|o'clock|(?:half|quarter) (?:past|to))\b/i],
  ['#date', new RegExp(`\\b(?:${days}|${months}|(?<=\\d )may|may(?= \\d)|(?:19|20)\\d\\d)\\b`, 'i')],
  ['#money', /[€$£¥]|\b(?:euros?|dollars?|pounds|francs|crowns|cents|pence|EUR|USD|GBP|CHF)\b/],
  ['#percent', /%|\bper ?cent\b/],
  ['#span', new RegExp(`\\b${amount}[ -](?:${units})s?\\b|\\d (?:h|min|s)\\b`, 'i')],
  ['#size', new RegExp(`\\d ?(?:${measures})(?!\\p{L})`, 'u')],
  [
    '#code',
    new RegExp(
      `\`|\\b\\d{1,20}-\\d{3}|\\w[_/]\\w|\\w\\(\\)|--\\w|\\w\\.(?:${endings})\\b|@\\w|[a-z][A-Z\\d]`,
    ),
  ],
]
/** The kinds of values that a fact tells in figures, signs or number words. */
export const toKindKeys = (text: string): string[] =>
  kinds.flatMap(([key, form]) => (form.test(text) ? [key] : []))

/** A name within a sentence, after the word before it. */
const names = /(?<!\p{Ll})(\p{Ll}{1,20}|[,;:&])\s{1,3}(?:the |a |an )?\p{Lu}[\p{L}\d]/gu
const links = new Set(
  'in at from to near with by for of on and into outside called via through over than as'.split(' '),
)

/** What a fact tells, by which "when" comes near a date and "where" near "in Lisbon". */
export function toValueKeys(text: string): string[] {
  const named = new Set<string>()
  for (const [, before] of text.matchAll(names)) {
    named.add('@')
    if (links.has(before!)) named.add(`@${before}`)
  }
  return [...toKindKeys(text), ...named]
}
