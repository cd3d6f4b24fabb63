/**
 * Generates server/src/search/analyse/english-stems.json from a folder with WordNet's dict files:
 * `node scripts/word-lists.ts <folder>`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stemEnglish } from '../server/src/search/analyse/english.ts'

const [, , folder = ''] = process.argv
const partsOfSpeech = ['noun', 'verb', 'adj', 'adv']

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

const content = {
  source: 'WordNet 3.1: the Porter2 stems of its words by their first three letters, which are left out',
  licence,
  stems: listStems(),
}
writeFileSync(
  new URL('../server/src/search/analyse/english-stems.json', import.meta.url),
  `${JSON.stringify(content, undefined, 2)}\n`,
)
