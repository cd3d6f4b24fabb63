import { analyse } from '../../search-index/analyser.ts'
import { foldCase, foldDiacritics } from '../../search-index/fold.ts'
import { signsIn } from '../../search-index/name-letters.ts'
import { editDistance } from '../../search-index/vocabulary.ts'

export type NamedThing = { name: string; type: string }

/** Words before a name that are not part of it. */
const titles = new Set(
  'dr mr mrs ms miss prof professor sir madam herr frau monsieur madame mme mlle'.split(' '),
)
/** In shorter words, one letter makes a different word: "cat" and "car", "Team A" and "Team B". */
const misspeltLengthMin = 4
const lettersPerEdit = 4
const editsMax = 2

/** Whether two names likely mean the same thing: used for advice on creation, never to refuse it. */
export function areSimilarNames(one: NamedThing, other: NamedThing): boolean {
  const [{ words: a, ...first }, { words: b, ...second }] = [read(one.name), read(other.name)]
  if (a.length === 0 || b.length === 0) return foldCase(one.name) === foldCase(other.name)
  if (first.signs !== second.signs) return false
  if (first.letters === second.letters) return first.numbers === second.numbers
  const [onlyA, onlyB] = [without(a, b), without(b, a)]
  if (onlyA.length === 0 && onlyB.length === 0) return true
  if (onlyA.length === 1 && onlyB.length === 1) return isMisspelt(onlyA[0]!, onlyB[0]!)
  return (
    arePersons(one, other) && Math.min(onlyA.length, onlyB.length) === 0 && onlyA.length + onlyB.length === 1
  )
}

type Word = { term: string; surface: string }
type ReadName = { words: readonly Word[]; letters: string; numbers: string; signs: string }

const readMax = 2_000
const readNames = new Map<string, ReadName>()

/** Cached, since the same names are compared with each new one. */
function read(name: string): ReadName {
  let known = readNames.get(name)
  if (known === undefined) {
    if (readNames.size >= readMax) readNames.clear()
    known = {
      words: wordsOf(name),
      letters: lettersOf(name),
      numbers: (name.match(/\p{N}+/gu) ?? []).join(' '),
      signs: signsIn(name).join(' '),
    }
    readNames.set(name, known)
  }
  return known
}

/** The stems of a name's words, without titles. */
function wordsOf(name: string): Word[] {
  return analyse(name)
    .tokens.filter(({ surface }) => !titles.has(surface))
    .map(({ term, surface }) => ({ term, surface }))
}

/** Makes "Check-out service" equal to "checkout Service". */
const lettersOf = (name: string) => foldDiacritics(foldCase(name)).replaceAll(/[^\p{L}\p{N}]/gu, '')

function without(words: readonly Word[], others: readonly Word[]): string[] {
  const terms = new Set(others.map(({ term }) => term))
  return words.filter(({ term }) => !terms.has(term)).map(({ surface }) => surface)
}

/** Numbers distinguish things, so a changed digit is not a typo. */
function isMisspelt(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  if (length < misspeltLengthMin || /\p{N}/u.test(a + b)) return false
  return editDistance(a, b) <= Math.min(editsMax, Math.floor(length / lettersPerEdit))
}

const arePersons = (one: NamedThing, other: NamedThing) =>
  [one, other].every(({ type }) => foldCase(type.trim()) === 'person')
