import { analyseName } from '../analyse/analyser.ts'
import { termsOfNameWord } from '../analyse/passages.ts'
import { editDistance, gramsOf, isVocabularyWord } from '../analyse/vocabulary.ts'
import { pickHeaviest } from '../store/posting-lists.ts'
import type { EntityLabel } from '../store/search.repo.ts'
import type { NamedEntityRow } from '../store/space-names.repo.ts'
import { sortByShared } from '../store/words.repo.ts'
import { inverseFrequency } from './weights.ts'

/** The entities of a space by the words of their names and aliases. */
export type NameIndex = {
  readonly size: number
  /** Adds an entity, or replaces what was known of it. */
  set: (entity: NamedEntityRow) => void
  delete: (id: number) => void
  /**
   * The entities whose names share most with a name, including misspelt words and compounds, at most `limit`, in order
   * of creation.
   */
  find: (name: string, limit: number) => EntityLabel[]
}

/** For each word, the newest names that contain it. */
const namesPerTerm = 100
const correctedWordsMax = 5
const correctedLengthMin = 4
/** In shorter words a second wrong letter makes a different word. */
const twoEditsLengthMin = 8
const correctionsMax = 3
const compoundPartMin = 5
const partsMax = 20

/** `letters` has a bit for each letter: words that differ in many are not compared. */
type Word = { word: string; term: string; letters: number }
type Entry = { label: EntityLabel; terms: ReadonlySet<string> }

export function createNameIndex(): NameIndex {
  const entities = new Map<number, Entry>()
  /** Numbers of entities by term, ascending. */
  const idsOf = new Map<string, number[]>()
  /** By written form. A word stays when its last name goes. */
  const words = new Map<string, Word>()

  function remove(id: number): void {
    for (const term of entities.get(id)?.terms ?? []) {
      const left = idsOf.get(term)!.filter((other) => other !== id)
      if (left.length === 0) idsOf.delete(term)
      else idsOf.set(term, left)
    }
    entities.delete(id)
  }

  function correct(written: string): string[] {
    const letters = lettersIn(written)
    const near = new Map<string, number>()
    const parts: string[] = []
    for (const one of words.values()) {
      const edits = editsBetween(one, { word: written, letters })
      if (edits !== undefined) near.set(one.word, edits)
      else if (isPartOf(one, { word: written, letters })) parts.push(one.word)
    }
    const grams = gramsOf(written)
    const found =
      near.size > 0
        ? sortByShared([...near.keys()], grams).sort((a, b) => near.get(a)! - near.get(b)!)
        : sortByShared(parts, grams)
    const terms = new Set(found.map((word) => words.get(word)!.term))
    return [...terms].slice(0, near.size > 0 ? correctionsMax : partsMax)
  }

  return {
    get size() {
      return entities.size
    },
    set({ id, name, type, aliases }) {
      remove(id)
      const others: string[] = aliases === null ? [] : JSON.parse(aliases)
      const terms = new Set<string>()
      for (const { tokens, wholes } of [name, ...others].map(analyseName)) {
        for (const { term } of wholes) terms.add(term)
        for (const token of tokens) {
          for (const term of termsOfNameWord(token)) terms.add(term)
          const { surface: word, term } = token
          if (!words.has(word) && isVocabularyWord(word))
            words.set(word, { word, term, letters: lettersIn(word) })
        }
      }
      entities.set(id, { label: { id, name, type }, terms })
      for (const term of terms) idsOf.set(term, withId(idsOf.get(term) ?? [], id))
    },
    delete: remove,
    find(name, limit) {
      let left = correctedWordsMax
      const terms = [...wordsOf(name)].flatMap(([term, word]) => {
        if (idsOf.has(term)) return [term]
        if (left === 0 || word.length < correctedLengthMin || !isVocabularyWord(word)) return []
        left -= 1
        return correct(word)
      })
      const lists = [...new Set(terms)].flatMap((term) => {
        const ids = idsOf.get(term)
        if (ids === undefined) return []
        const weight = inverseFrequency(ids.length, entities.size)
        return [{ ids: Uint32Array.from(ids.slice(-namesPerTerm)), weight }]
      })
      return pickHeaviest(lists, limit)
        .sort((a, b) => a - b)
        .map((id) => entities.get(id)!.label)
    },
  }
}

/** The terms of a name and their written form, including joined compounds ("check-out": "checkout"). */
export function wordsOf(name: string): Map<string, string> {
  const { tokens, wholes } = analyseName(name)
  return new Map([
    ...wholes.map(({ term }): [string, string] => [term, term]),
    ...tokens.map(({ term, surface }): [string, string] => [term, surface]),
  ])
}

function withId(ids: number[], id: number): number[] {
  if (ids.length === 0 || ids.at(-1)! < id) ids.push(id)
  else
    ids.splice(
      ids.findIndex((other) => other > id),
      0,
      id,
    )
  return ids
}

/** Number of wrong letters; undefined for another word. */
function editsBetween(one: Letters, other: Letters): number | undefined {
  const most = Math.max(one.word.length, other.word.length) >= twoEditsLengthMin ? 2 : 1
  if (Math.abs(one.word.length - other.word.length) > most) return undefined
  // An edit exchanges at most one letter for another.
  if (bitsIn(one.letters ^ other.letters) > 2 * most) return undefined
  const edits = editDistance(one.word, other.word, most)
  return edits <= most ? edits : undefined
}

type Letters = Pick<Word, 'word' | 'letters'>

/** Whether one of two words is a part of the other; the stored one must not be a short part. */
function isPartOf(stored: Letters, asked: Letters): boolean {
  if ((asked.letters & ~stored.letters) === 0 && stored.word.includes(asked.word)) return true
  const isLong = stored.word.length >= compoundPartMin
  return isLong && (stored.letters & ~asked.letters) === 0 && asked.word.includes(stored.word)
}

/** Letters of other alphabets share bits, which only makes more words comparable. */
function lettersIn(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i += 1) letters |= 1 << (word.charCodeAt(i) & 31)
  return letters
}

function bitsIn(letters: number): number {
  let bits = 0
  for (let left = letters; left !== 0; left &= left - 1) bits += 1
  return bits
}
