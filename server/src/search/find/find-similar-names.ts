import { toId } from '../../ground/lib/ids.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyseName } from '../analyse/analyser.ts'
import { foldCase, foldDiacritics } from '../analyse/fold.ts'
import { signsIn } from '../analyse/name-letters.ts'
import { editDistance } from '../analyse/vocabulary.ts'
import type { EntityLabel } from '../store/search.repo.ts'
import { findNameCandidates } from './find-name-candidates.ts'

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
  const words = wordsOf(name)
  return {
    words,
    terms: new Set(words.map(({ term }) => term)),
    letters: lettersOf(name),
    numbers: (name.match(/\p{N}+/gu) ?? []).join(' '),
    signs: signsIn(name).join(' '),
  }
})

/** The stems of a name's words, without titles. */
function wordsOf(name: string): Word[] {
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
