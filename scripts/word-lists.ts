/**
 * Makes server/src/search-index/english-stems.json and synonyms.json of a folder with WordNet's dict files:
 * `node scripts/word-lists.ts <folder>`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stemEnglish } from '../server/src/search-index/english.ts'

const [, , folder = ''] = process.argv
const partsOfSpeech = ['noun', 'verb', 'adj', 'adv']
/** Of each word the senses that texts have most often. */
const sensesPerWord = 3
const synonymsMax = 8

const linesOf = (file: string) =>
  readFileSync(join(folder, file), 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('  '))
const isWord = (text: string) => /^[a-z]{3,24}$/.test(text)

/** The notice at the head of each file, without the numbers of its lines. */
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

/** How often each sense was met in texts, and its place among those of the word, by `part word offset`. */
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

/** Words of one meaning, those first that are met most often; the commonest meanings first. */
function listSynonyms(): string[] {
  const senses = readSenses()
  const groups = partsOfSpeech.flatMap((part) =>
    linesOf(`data.${part}`).map((line) => {
      const [offset = '', , , size = '', ...rest] = line.split(' ')
      const words = rest
        .slice(0, Number.parseInt(size, 16) * 2)
        .filter((_, i) => i % 2 === 0)
        .map((word) => word.replace(/\(\w+\)$/, '').toLowerCase())
        .filter(isWord)
      const known = [...new Set(words)]
        .map((word) => ({ word, ...(senses.get(`${part} ${word} ${offset}`) ?? { place: 99, count: 0 }) }))
        .filter(({ place }) => place <= sensesPerWord)
        .sort((a, b) => b.count - a.count)
        .slice(0, synonymsMax)
      return { words: known.map(({ word }) => word), count: known.reduce((sum, { count }) => sum + count, 0) }
    }),
  )
  const told = groups.filter(({ words }) => words.length > 1).sort((a, b) => b.count - a.count)
  return told.map(({ words }) => words.join(' '))
}

write(
  'english-stems',
  'WordNet 3.1: the Porter2 stems of its words by their first three letters, which are left out',
  {
    stems: listStems(),
  },
)
write('synonyms', 'WordNet 3.1: words of one meaning, of the commonest senses of each word', {
  groups: listSynonyms().join('\n'),
})
