import type { Scope } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { analyse } from '../../search-index/analyser.ts'
import { nameMark } from '../../search-index/passages.ts'
import { type PostingLists, pickHeaviest, readLists } from '../../search-index/posting-lists.ts'
import { findIndexedSpace, type IndexedSpace } from '../../search-index/search-index.repo.ts'
import { isVocabularyWord } from '../../search-index/vocabulary.ts'
import { findCorrections } from './correct-words.ts'
import { inverseFrequency } from './ranking.ts'
import { type EntityLabel, findPassages } from './search.repo.ts'
import { areSimilarNames, type NamedThing } from './similar-names.rules.ts'

/** Of a large call the first are looked at: creating many things must not take long for the sake of advice. */
const namesMax = 20
const correctedWordsMax = 5
const correctedLengthMin = 4
const candidatesPerName = 20
const postingsPerTerm = 400
const answersPerName = 5

/**
 * The entities that may be the same as things that are about to be created, under another spelling, by the name of
 * the new thing; things that have none are left out. A few look-ups in the index of names.
 */
export async function findSimilarNames(
  ctx: Context,
  scope: Scope,
  things: readonly NamedThing[],
): Promise<Map<string, EntityLabel[]>> {
  const space = await findIndexedSpace(ctx.db, scope)
  if (space === undefined) return new Map()
  const asked = things.slice(0, namesMax).map((thing) => ({ thing, words: wordsOf(thing.name) }))
  const lists = await readInNames(
    ctx,
    space,
    asked.flatMap(({ words }) => [...words.keys()]),
  )
  const unknown = new Map(asked.flatMap(({ words }) => [...words].filter(([term]) => !lists.has(term))))
  const corrections = await correct(ctx, space, [...unknown.values()])
  for (const [term, list] of await readInNames(ctx, space, [...corrections.values()].flat()))
    lists.set(term, list)
  const similar = new Map<string, EntityLabel[]>()
  for (const { thing, words } of asked) {
    const terms = [...words].flatMap(([term, surface]) =>
      lists.has(term) ? [term] : (corrections.get(surface) ?? []),
    )
    const candidates = await findNamesWith(ctx, space, terms, lists)
    const found = candidates.filter(
      ({ name, type }) => name !== thing.name && areSimilarNames(thing, { name, type }),
    )
    if (found.length > 0) similar.set(thing.name, found.slice(0, answersPerName))
  }
  return similar
}

/** Terms of a name and how they are written, compounds whole too ("check-out": "checkout"). */
function wordsOf(name: string): Map<string, string> {
  const { tokens, wholes } = analyse(name)
  return new Map([
    ...wholes.map(({ term }): [string, string] => [term, term]),
    ...tokens.map(({ term, surface }): [string, string] => [term, surface]),
  ])
}

/** Where terms are in names, without the mark. */
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
    corrections.set(word, [...(await findCorrections(ctx, space, word)).keys()])
  }
  return corrections
}

async function findNamesWith(
  { db, dialect }: Context,
  space: IndexedSpace,
  terms: readonly string[],
  lists: PostingLists,
): Promise<EntityLabel[]> {
  const weighted = [...new Set(terms)].flatMap((term) => {
    const list = lists.get(term)
    return list === undefined ? [] : [{ ...list, weight: inverseFrequency(list.count, space.nextId) }]
  })
  const ids = pickHeaviest(weighted, candidatesPerName)
  const { entities } = await findPassages(db, dialect, space, ids, {})
  return entities
    .map(({ id, name, type }) => ({ id, name, type }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
