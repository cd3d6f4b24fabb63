/**
 * Generates server/src/search-index/english-stems.json and synonyms.json from a folder with WordNet's dict
 * files: `node scripts/word-lists.ts <folder>`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stemEnglish } from '../server/src/search-index/english.ts'

const [, , folder = ''] = process.argv
const partsOfSpeech = ['noun', 'verb', 'adj', 'adv']
/** Of each word, the senses most frequent in texts. */
const sensesPerWord = 3
const synonymsMax = 8
const kindsMax = 12
/** Kinds leave out words counted less often. */
const kindCountMin = 2

const linesOf = (file: string) =>
  readFileSync(join(folder, file), 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('  '))
const isWord = (text: string) => /^[a-z]{3,24}$/.test(text)

/** The notice at the head of each file, without its line numbers. */
const licence = readFileSync(join(folder, 'data.noun'), 'latin1')
  .split('\n')
  .filter((line) => line.startsWith('  '))
  .map((line) => line.replace(/^ *\d+ /, '').trim())
  .join(' ')
  .replaceAll(/\s+/g, ' ')
  .replace('MERCHANT- ABILITY', 'MERCHANTABILITY')
  .trim()

function write(name: string, source: string, content: Record<string, unknown>): void {
  const file = new URL(`../server/src/search-index/${name}.json`, import.meta.url)
  writeFileSync(file, `${JSON.stringify({ source, licence, ...content }, undefined, 2)}\n`)
}

/** Pronouns, prepositions and conjunctions, which WordNet leaves out. */
const ofNoPart =
  `although anybody anyone anything aside because besides despite else everybody everyone everything
  except hers himself inside itself like lest mine nobody none nothing onto others outside per plus since somebody
  someone something themselves though throughout till toward towards unless unlike until unto upon versus via
  whatever whereas wherever whether whichever whoever within without yours yourself`.split(/\s+/)

function listStems(): Record<string, string> {
  const words = partsOfSpeech.flatMap((part) =>
    linesOf(`index.${part}`).map((line) => line.split(' ', 1)[0]!),
  )
  const stems = new Set([...words, ...ofNoPart].filter(isWord).map(stemEnglish))
  const byStart = Map.groupBy([...stems].sort(), (stem) => stem.slice(0, 3))
  return Object.fromEntries(
    [...byStart].map(([start, some]) => [start, some.map((stem) => stem.slice(3)).join(' ')]),
  )
}

/** How often each sense occurs in texts, and its rank among those of the word, by `part word offset`. */
function readSenses(): Map<string, { place: number; count: number }> {
  return new Map(
    linesOf('index.sense').map((line) => {
      const [key = '', offset = '', place = '', count = ''] = line.split(' ')
      const [word = '', rest = ''] = key.split('%')
      const part = ['', 'noun', 'verb', 'adj', 'adv', 'adj'][Number(rest[0])]
      return [`${part} ${word} ${offset}`, { place: Number(place), count: Number(count) }]
    }),
  )
}

type Meaning = { key: string; words: { word: string; count: number }[]; count: number; wider: string[] }

/** WordNet's meanings, most common first, each with its words, most common first. */
function readMeanings(): Meaning[] {
  const senses = readSenses()
  const meanings = partsOfSpeech.flatMap((part) =>
    linesOf(`data.${part}`).map((line) => toMeaning(line, part, senses)),
  )
  return meanings.sort((a, b) => b.count - a.count)
}

function toMeaning(line: string, part: string, senses: ReturnType<typeof readSenses>): Meaning {
  const [offset = '', , , size = '', ...rest] = line.split(' ')
  const ends = Number.parseInt(size, 16) * 2
  const written = rest.slice(0, ends).filter((_, i) => i % 2 === 0)
  const words = [...new Set(written.map((word) => word.replace(/\(\w+\)$/, '').toLowerCase()))]
    .filter(isWord)
    .map((word) => ({ word, ...(senses.get(`${part} ${word} ${offset}`) ?? { place: 99, count: 0 }) }))
    .filter(({ place }) => place <= sensesPerWord)
    .sort((a, b) => b.count - a.count)
    .slice(0, synonymsMax)
  const wider = rest.flatMap((field, i) => (i > ends && field === '@' ? [`${part} ${rest[i + 1]}`] : []))
  return { key: `${part} ${offset}`, words, count: words.reduce((sum, { count }) => sum + count, 0), wider }
}

/** "CarAuto": capitals make the words quick to separate. */
const joinWords = (words: readonly string[]) =>
  words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`).join('')

const listSynonyms = (meanings: readonly Meaning[]) =>
  meanings
    .filter(({ words }) => words.length > 1)
    .map(({ words }) => joinWords(words.map(({ word }) => word)))

/** A word for each common meaning, and words for its common kinds ("mother": "mama", "mom"). */
function listKinds(meanings: readonly Meaning[]): string[] {
  const narrower = new Map<string, Set<string>>()
  for (const { wider, words } of meanings) {
    for (const key of wider) {
      const known = narrower.get(key) ?? new Set()
      for (const { word, count } of words) if (count >= kindCountMin) known.add(word)
      narrower.set(key, known)
    }
  }
  return meanings.flatMap(({ key, words: [head] }) => {
    const kinds = [...(narrower.get(key) ?? [])].filter((word) => word !== head?.word).slice(0, kindsMax)
    return head === undefined || head.count < kindCountMin || kinds.length === 0
      ? []
      : [joinWords([head.word, ...kinds])]
  })
}

write(
  'english-stems',
  'WordNet 3.1: the Porter2 stems of its words by their first three letters, which are left out',
  {
    stems: listStems(),
  },
)
const meanings = readMeanings()
write(
  'synonyms',
  'WordNet 3.1: words of one meaning, and a word with those for its kinds; the commonest senses of each word',
  {
    synonyms: listSynonyms(meanings).join(' '),
    kinds: listKinds(meanings).join(' '),
  },
)
