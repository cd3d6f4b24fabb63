/**
 * Generates server/src/search/meaning/english-words.bin, words of other languages with English ones: `node
 * scripts/align-words.ts`. Fetches texts that exist in several languages (names and keywords of emoji and names of
 * units of Unicode CLDR; kinds of places of OpenStreetMap's iD; properties of Wikidata; the texts of Scratch, a
 * programming language for children, and of Health Espresso, a program for patients) into a temporary folder, pairs
 * those of each language with the English ones, and keeps for each word the English words that it most surely stands
 * for. Takes a minute.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { foldCase, foldDiacritics } from '../server/src/search/analyse/fold.ts'
import { isStopWord, type Language, stem } from '../server/src/search/analyse/languages.ts'
import { isKnownWord } from '../server/src/search/meaning/word-vectors.ts'

const packages = [
  'cldr-annotations-full@48.2.0',
  'cldr-units-full@48.2.0',
  '@openstreetmap/id-tagging-schema@7.2.0',
  'wikidata-properties@1.0.0',
  // Later versions have another licence.
  'scratch-l10n@4.0.7',
  '@health.espresso/translations@0.1.363',
]
/** In the order of the file, with their names in the sources. The last two are written without spaces. */
const languages = [
  { code: 'de', locales: ['de', 'de-CH'] },
  { code: 'fr', locales: ['fr', 'fr-CA'] },
  { code: 'es', locales: ['es', 'es-419', 'es-MX', 'es-US'] },
  { code: 'it', locales: ['it'] },
  { code: 'pt', locales: ['pt', 'pt-PT', 'pt-BR', 'pt-br'] },
  { code: 'nl', locales: ['nl'] },
  { code: 'ru', locales: ['ru'] },
  { code: 'ja', locales: ['ja'] },
  { code: 'zh', locales: ['zh', 'zh-Hant', 'zh-CN', 'zh-cn', 'zh_CN'] },
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
const everydayWeight = 5

const marks = /<[^>]*>|\{[^}]*\}/g
/** In longer texts, words cannot be paired. */
const textLengthMax = 400

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
  for (const name of packages) fetchPackage(name)
  const sources = [readEmoji, readUnits, readPlaces, readProperties, ...textsFolders().map(readTexts)]
  const sections = languages.map(({ code, locales }, i) => {
    const said = [...sources.flatMap((read) => locales.flatMap(read)), ...readEveryday(i)]
    return toSection(said.map((one) => toPair(code, one)))
  })
  const file = new URL('../server/src/search/meaning/english-words.bin', import.meta.url)
  const packed = sections.map((section) => brotliCompressSync(section))
  const lengths = Buffer.from(Uint32Array.from(packed, ({ length }) => length).buffer)
  writeFileSync(file, Buffer.concat([lengths, ...packed]))
} finally {
  rmSync(folder, { recursive: true })
}

/** Without what it depends on. */
function fetchPackage(specifier: string): void {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, specifier])
  const [{ name, filename }] = JSON.parse(packed.toString())
  mkdirSync(join(folder, name), { recursive: true })
  const [archive, target] = [join(folder, filename), join(folder, name)]
  execFileSync('tar', ['--extract', '--file', archive, '--directory', target, '--strip-components', '1'])
}

/** A file in a language, and the English one; undefined if there is none in the language. */
function readBoth<T>(toPath: (locale: string) => string, locale: string): { own: T; english: T } | undefined {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, toPath(name)), 'utf8'))
  return existsSync(join(folder, toPath(locale))) ? { own: read(locale), english: read('en') } : undefined
}

/** Words that the sources hardly have, in the order of the languages. */
function readEveryday(place: number): Said[] {
  const lines = readFileSync(new URL('words/everyday.txt', import.meta.url), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [english = '', ...others] = line.split(' | ')
      return others[place]!.split('/').map((own) => ({
        own: [own],
        english: [english],
        weight: everydayWeight,
      }))
    })
}

type Annotations = { annotations: { annotations: Record<string, { default?: string[]; tts?: string[] }> } }

function readEmoji(locale: string): Said[] {
  const toPath = (name: string) => `cldr-annotations-full/annotations/${name}/annotations.json`
  const both = readBoth<Annotations>(toPath, locale)
  const english = both?.english.annotations.annotations
  return Object.entries(both?.own.annotations.annotations ?? {}).flatMap(
    ([emoji, { tts, default: keywords }]) => [
      { own: tts ?? [], english: english?.[emoji]?.tts ?? [], weight: 1 },
      { own: keywords ?? [], english: english?.[emoji]?.default ?? [], weight: keywordsWeight },
    ],
  )
}

type Units = { main: Record<string, { units: { long: Record<string, { displayName?: string }> } }> }

function readUnits(locale: string): Said[] {
  const both = readBoth<Units>((name) => `cldr-units-full/main/${name}/units.json`, locale)
  const english = both?.english.main.en?.units.long
  return Object.entries(both?.own.main[locale]?.units.long ?? {}).map(([unit, { displayName = '' }]) => ({
    own: [displayName],
    english: [english?.[unit]?.displayName ?? ''],
    weight: 1,
  }))
}

type Place = { name?: string; aliases?: unknown; terms?: unknown }
type Field = { label?: string; options?: Record<string, string | { title?: string }> }
type Schema = Record<string, { presets: { presets: Record<string, Place>; fields: Record<string, Field> } }>

function readPlaces(locale: string): Said[] {
  const toPath = (name: string) => `@openstreetmap/id-tagging-schema/dist/translations/${name}.json`
  const both = readBoth<Schema>(toPath, locale)
  const [own, english] = [both?.own[locale]?.presets, both?.english.en?.presets]
  if (own === undefined || english === undefined) return []
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

type Property = {
  labels: Record<string, string>
  aliases: Record<string, string[]>
  descriptions: Record<string, string>
}

function readProperties(locale: string): Said[] {
  const { properties }: { properties: Property[] } = createRequire(folder)(
    join(folder, 'wikidata-properties'),
  )
  return properties.flatMap(({ labels, aliases, descriptions }): Said[] => {
    const [own, english] = [labels[locale], labels.en]
    const [meant, meantInEnglish] = [descriptions[locale], descriptions.en]
    return [
      ...(own === undefined || english === undefined
        ? []
        : [
            { own: [own], english: [english], weight: 1 },
            {
              own: [own, ...(aliases[locale] ?? [])],
              english: [english, ...(aliases.en ?? [])],
              weight: keywordsWeight,
            },
          ]),
      ...(meant === undefined || meantInEnglish === undefined
        ? []
        : [{ own: [meant], english: [meantInEnglish], weight: keywordsWeight }]),
    ]
  })
}

/** Folders with a file of texts for each language. */
function textsFolders(): string[] {
  const ofScratch = ['editor', 'www'].flatMap((part) =>
    readdirSync(join(folder, 'scratch-l10n', part)).map((name) => join('scratch-l10n', part, name)),
  )
  return [...ofScratch, '@health.espresso/translations/dist/__locales']
}

function readTexts(texts: string): (locale: string) => Said[] {
  return (locale) => {
    const both = readBoth<Record<string, string>>((name) => join(texts, `${name}.json`), locale)
    return Object.entries(both?.own ?? {}).flatMap(([key, own]): Said[] => {
      const english = both?.english[key]
      if (english === undefined || Math.max(english.length, own.length) > textLengthMax) return []
      const toWords = (text: string) => [text.replaceAll(marks, ' ')]
      return [{ own: toWords(own), english: toWords(english), weight: keywordsWeight }]
    })
  }
}

function wordsIn(text: string): string[] {
  return foldCase(text).match(letters) ?? []
}

/** Without the words that both have, such as names: those need no translation. */
function toPair(code: LanguageCode, { own, english, weight }: Said): Pair {
  const ownWords = new Set(own.flatMap(wordsIn))
  const englishWords = new Set(english.flatMap(wordsIn))
  return {
    own: [...new Set(own.flatMap((text) => toOwnWords(code, text, englishWords)))],
    english: [...englishWords.difference(ownWords)].filter(isKnownWord),
    weight,
  }
}

function toOwnWords(code: LanguageCode, text: string, others: ReadonlySet<string>): string[] {
  if (code === 'ja' || code === 'zh') {
    const runs = foldCase(text).match(unspaced) ?? []
    const words = runs.flatMap((run) => [...segmenters[code].segment(run)].map(({ segment }) => segment))
    return words
      .map((word) => foldDiacritics(word).replace(inflection, ''))
      .filter((word) => !kana.test(word))
  }
  return wordsIn(text)
    .filter((word) => word.length > 1 && !others.has(word) && !isStopWord(foldDiacritics(word), code))
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
    .map((line) => `${line}\n`)
    .join('')
}
