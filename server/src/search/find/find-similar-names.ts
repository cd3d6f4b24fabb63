import { toId } from '../../ground/lib/ids.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyseName } from '../analyse/analyser.ts'
import { foldCase, foldDiacritics } from '../analyse/fold.ts'
import { signsIn } from '../analyse/name-letters.ts'
import { nameMark } from '../analyse/passages.ts'
import { editDistance, isVocabularyWord } from '../analyse/vocabulary.ts'
import { findCorrections } from '../match/correct-words.ts'
import { readSpaceNames, wordsOf } from '../match/names-in-memory.ts'
import { inverseFrequency } from '../match/weights.ts'
import type { EntityLabel } from '../store/index-rows.ts'
import { type PostingLists, pickHeaviest, readLists } from '../store/posting-lists.ts'
import { findEntityLabels } from '../store/search.repo.ts'
import { findIndexedSpace, type IndexedSpace } from '../store/search-index.repo.ts'

/** Only the first names of a large call are checked, so that advice does not slow down bulk creation. */
const namesMax = 20
const answersPerName = 5

type SimilarEntity = { id: string; name: string; type: string }
const toSimilar = ({ id, name, type }: EntityLabel): SimilarEntity => ({ id: toId('ent', id), name, type })

/**
 * Existing entities that may be the same as the new ones, spelt differently, by new name; names without any are omitted.
 * Call it after the write, which the names in memory then include; `since` is the space's last change before it, and
 * `created` has the numbers of the new entities.
 */
export async function findSimilarNames(
  ctx: Context,
  scope: Scope,
  things: readonly NamedThing[],
  { since, created }: { since: number; created: readonly number[] },
): Promise<Map<string, SimilarEntity[]>> {
  const asked = things.slice(0, namesMax)
  const candidates = await findNameCandidates(
    ctx,
    scope,
    asked.map((thing) => thing.name),
    since,
  )
  const isNew = new Set(created)
  const similar = new Map<string, SimilarEntity[]>()
  for (const thing of asked) {
    const found = (candidates.get(thing.name) ?? []).filter(
      ({ id, name, type }) => !isNew.has(id) && name !== thing.name && areSimilarNames(thing, { name, type }),
    )
    if (found.length > 0) similar.set(thing.name, found.slice(0, answersPerName).map(toSimilar))
  }
  return similar
}

type NamedThing = { name: string; type: string }

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
  const [a, b] = [read(one.name), read(other.name)]
  if (a.words.length === 0 || b.words.length === 0) return foldCase(one.name) === foldCase(other.name)
  if (a.signs !== b.signs) return false
  if (a.letters === b.letters) return a.numbers === b.numbers
  const onlyA = without(a, b)
  if (onlyA.length > 1) return false
  const onlyB = without(b, a)
  if (onlyA.length === 0 && onlyB.length === 0) return true
  if (onlyA.length === 1 && onlyB.length === 1) return isMisspelt(onlyA[0]!, onlyB[0]!)
  return (
    arePersons(one, other) && Math.min(onlyA.length, onlyB.length) === 0 && onlyA.length + onlyB.length === 1
  )
}

type Word = { term: string; surface: string }
type ReadName = {
  words: readonly Word[]
  terms: ReadonlySet<string>
  letters: string
  numbers: string
  signs: string
}

const readMax = 2_000

/** Cached, since the same names are compared with each new one. */
const read = memoised(readMax, (name): ReadName => {
  const words = untitledWordsOf(name)
  return {
    words,
    terms: new Set(words.map(({ term }) => term)),
    letters: lettersOf(name),
    numbers: (name.match(/\p{N}+/gu) ?? []).join(' '),
    signs: signsIn(name).join(' '),
  }
})

/** The stems of a name's words, without titles. */
function untitledWordsOf(name: string): Word[] {
  return analyseName(name)
    .tokens.filter(({ surface }) => !titles.has(surface))
    .map(({ term, surface }) => ({ term, surface }))
}

/** Makes "Check-out service" equal to "checkout Service". */
const lettersOf = (name: string) => foldDiacritics(foldCase(name)).replaceAll(/[^\p{L}\p{N}]/gu, '')

function without({ words }: ReadName, { terms }: ReadName): string[] {
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

const correctedWordsMax = 5
const correctedLengthMin = 4
const candidatesPerName = 20
const postingsPerTerm = 100

/**
 * For each of these names, the entities whose names contain its words, including misspelt ones and compounds, in order
 * of creation: those of now or, if `since` is given, of that change or later.
 */
export async function findNameCandidates(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
  since?: number,
): Promise<Map<string, EntityLabel[]>> {
  const known = await readSpaceNames(ctx, scope, since)
  if (known === undefined) return findInIndex(ctx, scope, names)
  return new Map(names.map((name) => [name, known.find(name, candidatesPerName)]))
}

/** The same by a few look-ups in the stored index. */
async function findInIndex(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, EntityLabel[]>> {
  const space = await findIndexedSpace(ctx.db, scope)
  if (space === undefined) return new Map()
  const asked = new Map(names.map((name) => [name, wordsOf(name)]))
  const wordsAsked = [...asked.values()]
  const lists = await readInNames(
    ctx,
    space,
    wordsAsked.flatMap((words) => [...words.keys()]),
  )
  const unknown = new Map(wordsAsked.flatMap((words) => [...words].filter(([term]) => !lists.has(term))))
  const corrections = await correct(ctx, space, [...unknown.values()])
  for (const [term, list] of await readInNames(ctx, space, [...corrections.values()].flat()))
    lists.set(term, list)
  const candidates = new Map<string, EntityLabel[]>()
  for (const [name, words] of asked) {
    const terms = [...words].flatMap(([term, surface]) =>
      lists.has(term) ? [term] : (corrections.get(surface) ?? []),
    )
    candidates.set(name, await findNamesWith(ctx, space, terms, lists))
  }
  return candidates
}

/** Postings of terms in names, by term without the mark. */
async function readInNames(
  ctx: Context,
  space: IndexedSpace,
  terms: readonly string[],
): Promise<PostingLists> {
  const marked = terms.map((term) => nameMark + term)
  const lists = await readLists(ctx, space, marked, postingsPerTerm)
  return new Map([...lists].map(([term, list]) => [term.slice(nameMark.length), list]))
}

async function correct(
  ctx: Context,
  space: IndexedSpace,
  surfaces: readonly string[],
): Promise<Map<string, string[]>> {
  const words = surfaces.filter((word) => word.length >= correctedLengthMin && isVocabularyWord(word))
  const corrections = new Map<string, string[]>()
  for (const word of words.slice(0, correctedWordsMax)) {
    const guesses = await findCorrections(ctx, space, word)
    corrections.set(
      word,
      guesses.map(({ term }) => term),
    )
  }
  return corrections
}

async function findNamesWith(
  { db }: Context,
  space: IndexedSpace,
  terms: readonly string[],
  lists: PostingLists,
): Promise<EntityLabel[]> {
  const weighted = [...new Set(terms)].flatMap((term) => {
    const list = lists.get(term)
    return list === undefined ? [] : [{ ...list, weight: inverseFrequency(list.count, space.nextOrdinal) }]
  })
  // Names are indexed under the numbers of their entities.
  const found = await findEntityLabels(db, space, pickHeaviest(weighted, candidatesPerName))
  return found.sort((a, b) => a.id - b.id)
}
