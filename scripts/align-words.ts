/**
 * Generates server/src/search/meaning/english-words.bin, words of other languages with English ones: `node
 * scripts/align-words.ts`. Installs the names and keywords of emoji and the names of units (Unicode CLDR), and those of
 * kinds of places (OpenStreetMap's iD), into a temporary folder, pairs those of each language with the English ones, and
 * keeps for each word the English words that it most surely stands for. Takes half a minute.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { foldCase, foldDiacritics } from '../server/src/search/analyse/fold.ts'
import { isStopWord, type Language, stem } from '../server/src/search/analyse/languages.ts'
import { isKnownWord } from '../server/src/search/meaning/word-vectors.ts'

const packages = [
  'cldr-annotations-full@48.2.0',
  'cldr-units-full@48.2.0',
  '@openstreetmap/id-tagging-schema@7.2.0',
]
/** In the order of the file, with their names in both sources. The last two are written without spaces. */
const languages = [
  { code: 'de', cldr: ['de', 'de-CH'], osm: 'de' },
  { code: 'fr', cldr: ['fr', 'fr-CA'], osm: 'fr' },
  { code: 'es', cldr: ['es', 'es-419', 'es-MX', 'es-US'], osm: 'es' },
  { code: 'ja', cldr: ['ja'], osm: 'ja' },
  { code: 'zh', cldr: ['zh', 'zh-Hant'], osm: 'zh-CN' },
] as const
type LanguageCode = (typeof languages)[number]['code']

const iterations = 12
/** A word may also stand for nothing in the other language. */
const nothingShare = 0.02
/** Words seen once say little of what they go with. */
const unseen = 0.3
const likenessMin = 0.08
/** Further English words are kept from this part of the best one's likeness on. */
const shareOfBest = 0.4
const englishPerWord = 3
/** Keywords go with each other less surely than names. */
const keywordsWeight = 2 / 3

/** What two languages say of the same thing, and how much that counts. */
type Pair = { own: string[]; english: string[]; weight: number }
type Said = { own: readonly string[]; english: readonly string[]; weight: number }

const letters = /\p{L}+/gu
const unspaced = /[\u3040-\u30ff\u3400-\u9fff]+/g
/** Particles and endings, once katakana are folded. */
const kana = /^[\u3040-\u309f]{1,2}$/
/** The kana after the characters of a Japanese verb or adjective. */
const inflection = /(?<=[\u3400-\u9fff])[\u3040-\u309f]+$/
const segmenters = {
  ja: new Intl.Segmenter('ja', { granularity: 'word' }),
  zh: new Intl.Segmenter('zh', { granularity: 'word' }),
}

const folder = mkdtempSync(join(tmpdir(), 'align-'))
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  })
  const sections = languages.map(({ code, cldr, osm }) => {
    const said = [...cldr.flatMap(readEmoji), ...readUnits(cldr[0]), ...readPlaces(osm)]
    return toSection(said.map((one) => toPair(code, one)))
  })
  const file = new URL('../server/src/search/meaning/english-words.bin', import.meta.url)
  writeFileSync(file, gzipSync(sections.join('\n\n'), { level: 9 }))
} finally {
  rmSync(folder, { recursive: true })
}

function readPackage(path: string) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8'))
}

type Annotations = Record<string, { default?: string[]; tts?: string[] }>

function readEmoji(locale: string): Said[] {
  const read = (name: string): Annotations =>
    readPackage(`cldr-annotations-full/annotations/${name}/annotations.json`).annotations.annotations
  const english = read('en')
  return Object.entries(read(locale)).flatMap(([emoji, { tts = [], default: keywords = [] }]) => [
    { own: tts, english: english[emoji]?.tts ?? [], weight: 1 },
    { own: keywords, english: english[emoji]?.default ?? [], weight: keywordsWeight },
  ])
}

function readUnits(locale: string): Said[] {
  const read = (name: string): Record<string, { displayName?: string }> =>
    readPackage(`cldr-units-full/main/${name}/units.json`).main[name].units.long
  const english = read('en')
  return Object.entries(read(locale)).map(([unit, { displayName = '' }]) => ({
    own: [displayName],
    english: [english[unit]?.displayName ?? ''],
    weight: 1,
  }))
}

type Place = { name?: string; aliases?: unknown; terms?: unknown }
type Field = { label?: string; options?: Record<string, string | { title?: string }> }
type Schema = { presets: Record<string, Place>; fields: Record<string, Field> }

function readPlaces(locale: string): Said[] {
  const read = (name: string): Schema =>
    readPackage(`@openstreetmap/id-tagging-schema/dist/translations/${name}.json`)[name].presets
  const [own, english] = [read(locale), read('en')]
  const listed = (text: unknown) => (typeof text === 'string' ? text.split(/[,\n]/) : [])
  const places = Object.entries(own.presets).flatMap(([id, { name = '', aliases, terms }]): Said[] => {
    const said = english.presets[id]
    if (said?.name === undefined) return []
    const keywords = [said.name, ...listed(said.terms)]
    return [
      ...[name, ...listed(aliases)].map((one) => ({ own: [one], english: [said.name!], weight: 1 })),
      { own: [name, ...listed(terms)], english: keywords, weight: keywordsWeight },
    ]
  })
  const fields = Object.entries(own.fields).flatMap(([id, field]): Said[] => {
    const said = english.fields[id]
    const options = Object.entries(field.options ?? {})
    return [
      { own: [field.label ?? ''], english: [said?.label ?? ''], weight: 1 },
      ...options.map(([key, option]) => ({
        own: [titleOf(option)],
        english: [titleOf(said?.options?.[key])],
        weight: 1,
      })),
    ]
  })
  return [...places, ...fields]
}

function titleOf(option: string | { title?: string } = ''): string {
  return typeof option === 'string' ? option : (option.title ?? '')
}

function wordsIn(text: string): string[] {
  return foldCase(text).match(letters) ?? []
}

function toPair(code: LanguageCode, { own, english, weight }: Said): Pair {
  return {
    own: [...new Set(own.flatMap((text) => toOwnWords(code, text)))],
    english: [...new Set(english.flatMap(wordsIn))].filter(isKnownWord),
    weight,
  }
}

function toOwnWords(code: LanguageCode, text: string): string[] {
  if (code === 'ja' || code === 'zh') {
    const runs = foldCase(text).match(unspaced) ?? []
    const words = runs.flatMap((run) => [...segmenters[code].segment(run)].map(({ segment }) => segment))
    return words
      .map((word) => foldDiacritics(word).replace(inflection, ''))
      .filter((word) => !kana.test(word))
  }
  return wordsIn(text)
    .filter((word) => word.length > 1 && !isStopWord(foldDiacritics(word), code))
    .map((word) => stem(word, code satisfies Language))
}

type Translations = Map<string, Map<string, number>>

/** How surely a word of one language stands for each of the other (IBM's model 1: Brown and others 1993). */
function align(pairs: readonly Pair[], from: 'own' | 'english', to: 'own' | 'english'): Translations {
  let translations: Translations = new Map()
  const shareOf = (word: string, other: string, round: number) =>
    round === 0 ? 1 : (translations.get(word)?.get(other) ?? 0)
  for (let round = 0; round < iterations; round += 1) {
    const counts: Translations = new Map()
    for (const { [from]: words, [to]: others, weight } of pairs) {
      for (const other of others) {
        const sum = words.reduce((all, word) => all + shareOf(word, other, round), nothingShare)
        for (const word of words) {
          const ofWord = counts.get(word) ?? new Map<string, number>()
          counts.set(word, ofWord)
          const share = shareOf(word, other, round) / sum
          ofWord.set(other, (ofWord.get(other) ?? 0) + weight * share)
        }
      }
    }
    for (const ofWord of counts.values()) {
      const sum = [...ofWord.values()].reduce((all, count) => all + count, unseen)
      for (const [other, count] of ofWord) ofWord.set(other, count / sum)
    }
    translations = counts
  }
  return translations
}

/** A line for each word: the word and its English words, the surest first. */
function toSection(pairs: readonly Pair[]): string {
  const toEnglish = align(pairs, 'own', 'english')
  const fromEnglish = align(pairs, 'english', 'own')
  return [...toEnglish]
    .flatMap(([word, others]) => {
      const likeness = ([other, share]: [string, number]) =>
        Math.sqrt(share * (fromEnglish.get(other)?.get(word) ?? 0))
      const best = [...others]
        .map((entry): [string, number] => [entry[0], likeness(entry)])
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      const min = Math.max(likenessMin, shareOfBest * (best[0]?.[1] ?? 0))
      const kept = best.filter(([, like]) => like >= min).slice(0, englishPerWord)
      return kept.length === 0 ? [] : [[word, ...kept.map(([other]) => other)].join(' ')]
    })
    .sort()
    .join('\n')
}
