import { numberOf } from '../../ground/lib/ids.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import type { Context } from '../../tenancy/context.ts'
import { analyse, type Token } from '../analyse/analyser.ts'
import { isEnglishWord } from '../analyse/dictionary.ts'
import { asksInFirstPerson, readOwned } from '../analyse/first-person.ts'
import { foldCase, foldDiacritics } from '../analyse/fold.ts'
import { nameMark } from '../analyse/passages.ts'
import { type Question, subjectOf } from '../ask/question.ts'
import type { IndexedEntity } from '../store/index-rows.ts'
import { type PostingLists, pickHeaviest, readLists, type WeightedList } from '../store/posting-lists.ts'
import { withoutAddition } from '../store/read-fields.ts'
import { readEntitiesNamed } from '../store/read-space.ts'
import { findIndexedEntities, listPassageIdsOf } from '../store/search.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import type { QueryWord } from './count-words.ts'
import { findDescribed } from './find-described.ts'
import type { MatchedWords } from './vocabulary-match.ts'
import { inverseFrequency, weightOfWord, weights } from './weights.ts'

/** What a question may be about: entities with its words in their names, types or metadata, best first. */
export type Subjects = {
  names: NameMatch[]
  /** The entities of the user, if the question is about oneself. */
  user: readonly NameMatch[]
  /** Their newest passages, which count as if they contained those words. */
  lists: WeightedList[]
  /** The same of the entities that the question names in full. */
  named: Uint32Array[]
  /** Entities that the question names, in full or by a part that is theirs alone, and that have facts. */
  askedAbout: Set<number>
}

const subjectMin = 0.25
/** Subjects of a question that names no entity ("Terraform layout" of "the terraform repo"). */
const faintMin = 0.1
const faintMax = 10
const partlyNamed = 0.9
const subjectsMax = 40
const passagesMax = 600
const passagesEachMin = 8
const passagesEachMax = 400

/** Facts need not repeat the name of their entity, so the facts of the best subjects are candidates as well. */
export async function findSubjects(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  matched: MatchedWords,
  relationTypes: ReadonlyMap<string, readonly string[]>,
): Promise<Subjects> {
  const { user, described } = await findOwn(ctx, space, question, matched, relationTypes)
  const own = [...user, ...described]
  const isUser = new Set(own.map(({ id }) => id))
  const found = await findNames(ctx, space, question, matched)
  const names = [...own, ...found.filter(({ id }) => !isUser.has(id))]
  const isInQuestion = ({ isNamed, isPartlyNamed }: NameMatch) => isNamed || isPartlyNamed === true
  const isStrong = (name: NameMatch) => isInQuestion(name) || name.score >= subjectMin
  const strong = names.filter(isStrong).slice(0, subjectsMax)
  const isNaming = names.some(isInQuestion)
  const isFaint = (name: NameMatch) => !isNaming && !isStrong(name) && name.score >= faintMin
  const faint = names.filter(isFaint).slice(0, faintMax)
  const best = [...strong, ...faint]
  const idsOf = await listPassages(ctx, space, strong, faint)
  const idf = matched.words.map((word) => weightOfWord(word, space.passages))
  const lists = best.flatMap(({ id, words, isNamed }) => {
    const ids = idsOf.get(id)
    if (ids === undefined) return []
    const weight = [...words].reduce((sum, word) => sum + weights.name * idf[word]!, 0)
    // "Bob" means Bob rather than Big Bob, however much is known about Big Bob.
    return [{ ids, weight: isNamed ? weight : weight * partlyNamed }]
  })
  const isAskedAbout = ({ id, name, isNamed, isPartlyNamed }: NameMatch) =>
    idsOf.has(id) && (isUser.has(id) || isPartlyNamed === true || (isNamed && isDistinctive(name, question)))
  const named = best.filter(({ isNamed }) => isNamed).flatMap(({ id }) => idsOf.get(id) ?? [])
  return { names, user, lists, named, askedAbout: new Set(best.filter(isAskedAbout).map(({ id }) => id)) }
}

/** The newest passages of each entity, as many of each unless it is named in full. */
async function listPassages(
  { db }: Context,
  space: IndexedSpace,
  subjects: readonly NameMatch[],
  faint: readonly NameMatch[],
): Promise<ReadonlyMap<number, Uint32Array>> {
  const eachOf = (some: readonly NameMatch[]) =>
    Math.min(passagesEachMax, Math.max(passagesEachMin, Math.floor(passagesMax / Math.max(1, some.length))))
  const listOf = (some: readonly NameMatch[], each: number) =>
    listPassageIdsOf(
      db,
      space,
      some.map(({ id }) => id),
      each,
    )
  const each = eachOf(subjects)
  const idsOf = await listOf(subjects, each)
  const cut = subjects.filter(({ id, isNamed }) => isNamed && (idsOf.get(id)?.length ?? 0) >= each)
  const more = eachOf(cut) > each ? await listOf(cut, eachOf(cut)) : new Map<number, Uint32Array>()
  return new Map([...idsOf, ...more, ...(await listOf(faint, passagesEachMin))])
}

/** A name that is a plain dictionary word, and not written as a name, may occur in a question about something else. */
function isDistinctive(name: string, { words }: Question): boolean {
  const short = withoutAddition(name)
  const folded = foldDiacritics(foldCase(short))
  const isWrittenAsName = words.some(
    ({ surface, isCapitalised, isFirst }) => isCapitalised && !isFirst && surface === folded,
  )
  return isWrittenAsName || /\S[\s_-]\S/u.test(short) || !isEnglishWord(folded)
}

const candidatesMax = 60

/** An entity whose name, type or metadata contains words of the question. */
export type NameMatch = IndexedEntity & {
  /** 0 to 1: how much of the question the fields cover, and how much of the name the question covers. */
  score: number
  /** True if the question contains the whole name. */
  isNamed: boolean
  /** True if the question contains a part of the name that no other entity has ("Lena" for "Lena Hautala"). */
  isPartlyNamed?: boolean
  /** True if the question contains the whole type. */
  isOfType: boolean
  /** The indices of the question's words that its fields contain. */
  words: ReadonlySet<number>
}

/** The entities whose names, types and metadata match a question best, best first. */
async function findNames(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  matched: MatchedWords,
): Promise<NameMatch[]> {
  const picked = pickNames(space, question, matched)
  const isAll = picked.length < candidatesMax
  const named = isAll ? [] : await findNamedInFull(ctx, space, question.fullNames, matched.lists)
  const entities = await findIndexedEntities(ctx.db, space, [...new Set([...named, ...picked])])
  return rankNames(space, question, matched, entities)
}

/** Names can have the same letters ("C", "C++", "C#"), but only a few do. */
const namedMax = 20

/** The numbers of the entities that a question names in full, however many others have the same words in their names. */
async function findNamedInFull(
  ctx: Context,
  space: IndexedSpace,
  fullNames: Question['fullNames'],
  lists: PostingLists,
): Promise<number[]> {
  const isInNames = ({ term, surface }: Token) => lists.has(nameMark + term) || lists.has(nameMark + surface)
  const asked = [...fullNames].filter(([, words]) => words.every(isInNames)).map(([term]) => term)
  const found = await readLists(ctx, space, asked, namedMax)
  return [...found.values()].flatMap(({ ids }) => [...ids])
}

/** The numbers of the entities whose fields match a question best. */
function pickNames(space: IndexedSpace, question: Question, { words, lists }: MatchedWords): number[] {
  const weightOf = new Map([...question.terms].map((term) => [term, 1]))
  for (const { terms } of words) {
    for (const [term, weight] of terms) weightOf.set(term, Math.max(weight, weightOf.get(term) ?? 0))
  }
  for (const { term } of question.words) weightOf.set(term, 1)
  const weighted = [...weightOf]
    .flatMap(([term, weight]) => {
      const list = lists.get(nameMark + term)
      return list === undefined
        ? []
        : [{ ...list, weight: weight * inverseFrequency(list.count, space.nextOrdinal) }]
    })
    .sort((a, b) => a.count - b.count)
  return pickHeaviest(weighted, candidatesMax)
}

/** Scores how well the fields of entities match a question, best first. */
function rankNames(
  space: IndexedSpace,
  question: Question,
  { words, lists }: MatchedWords,
  entities: readonly IndexedEntity[],
): NameMatch[] {
  const telling = listTellingTerms(question, lists)
  return entities
    .map((entity) => {
      const match = toNameMatch(entity, question, words, space.passages)
      const { name, written } = entity.fields
      const isTelling = (term: string) => telling.has(term) || telling.has(written.get(term) ?? '')
      const isPartlyNamed = name.length <= partlyNamedLengthMax && !match.isNamed && name.some(isTelling)
      return isPartlyNamed ? { ...match, isPartlyNamed } : match
    })
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.score - a.score || b.id - a.id)
}

/** Longer names are titles, whose words say less about which one is meant. */
const partlyNamedLengthMax = 3
const letters = /^\p{L}{3,}$/u

/** Words of a question that occur in one name only and are not ordinary words. */
function listTellingTerms({ words }: Question, lists: MatchedWords['lists']): Set<string> {
  const telling = words.filter(
    ({ term, surface, isCapitalised, isFirst }) =>
      letters.test(surface) &&
      isInOneName(lists, [term, surface]) &&
      ((isCapitalised && !isFirst) || !isEnglishWord(surface)),
  )
  return new Set(telling.flatMap(({ term, surface }) => [term, surface]))
}

function isInOneName(lists: MatchedWords['lists'], terms: readonly string[]): boolean {
  const found = terms.flatMap((term) => lists.get(nameMark + term) ?? [])
  return found.every(({ count }) => count === 1) && new Set(found.map(({ ids: [id] }) => id)).size === 1
}

/** Weight of a word in each field, and of each field in the fit. */
const fieldWeights = { name: 1, nameWholes: 1, type: 0.9, metadata: 0.8 }
const fits = { type: 0.7, metadata: 0.4 }
/** Terms with at least this weight count as written in the question when matching names; relatives do not reach it. */
const meantMin = 0.35

function toNameMatch(
  entity: IndexedEntity,
  question: Question,
  words: readonly QueryWord[],
  passages: number,
): NameMatch {
  const weightOf = new Map<string, number>()
  for (const field of ['metadata', 'type', 'nameWholes', 'name'] as const) {
    for (const term of entity.fields[field]) weightOf.set(term, fieldWeights[field])
  }
  const { written, fullNames } = entity.fields
  for (const term of [...entity.fields.aliases.flat(), ...written.values()])
    weightOf.set(term, fieldWeights.name)
  const found = new Set([...question.terms, ...question.written])
  const matchedWords = new Set<number>()
  let matched = 0
  let total = 0
  words.forEach((word, index) => {
    // A word that matches nothing says nothing about the subject.
    if (word.terms.size === 0) return
    const weight = weightOfWord(word, passages)
    total += weight
    let best = 0
    for (const [term, part] of word.terms) {
      const inField = weightOf.get(term)
      if (inField === undefined) continue
      if (part >= meantMin) found.add(term)
      best = Math.max(best, part * inField)
    }
    matched += weight * best
    if (best > 0) matchedWords.add(index)
  })
  const isFound = (term: string) => found.has(term) || found.has(written.get(term) ?? '')
  const shareOf = (terms: readonly string[]) => terms.filter(isFound).length / Math.max(1, terms.length)
  const { name, nameWholes, aliases, type, metadata } = entity.fields
  const inOwnName = found.has(name.join('')) && nameWholes.length > 0 ? 1 : shareOf(name)
  const isInFull = fullNames.some((term) => question.fullNames.has(term))
  const inName = isInFull ? 1 : Math.max(inOwnName, ...aliases.map(shareOf))
  const inType = shareOf(type)
  const fit = Math.max(
    inName,
    fits.type * inType,
    metadata.some((term) => found.has(term)) ? fits.metadata : 0,
  )
  return {
    ...entity,
    score: (matched / (total || 1)) * (0.5 + 0.5 * fit),
    isNamed: name.length > 0 && inName === 1,
    isOfType: type.length > 0 && inType === 1,
    words: matchedWords,
  }
}

const cachedTextsMax = 20_000

/** The terms of an entity's name or type, including function words. */
export const termsOf = memoised(cachedTextsMax, (text) => analyse(text).tokens.map(({ term }) => term))

/** Names that agents use for the entity of the person they talk to. */
export const userNames = ['default_user', 'user', 'User', 'me']

/**
 * The entities of the user, if a question is about oneself ("Which editor do I use?"), as if it named them, or else
 * those that it describes by what they are to the user ("Where does my sister live?").
 */
async function findOwn(
  ctx: Context,
  space: IndexedSpace,
  question: Question,
  matched: MatchedWords,
  relationTypes: ReadonlyMap<string, readonly string[]>,
): Promise<{ user: NameMatch[]; described: NameMatch[] }> {
  const none = { user: [], described: [] }
  if (question.isBare) return none
  const query = subjectOf(question.typing ? question.query.replace(/\S+$/u, '') : question.query)
  const isAboutUser = asksInFirstPerson(query)
  const owned = readOwned(query)
  if (!isAboutUser && owned.length === 0) return none
  const entities = await readEntitiesNamed(ctx.db, space, userNames)
  const user = entities.map(({ id }) => numberOf('ent', id))
  const described =
    owned.length === 0
      ? []
      : await findDescribed(ctx, space, question, matched, { owned, user, relationTypes })
  if (described.length > 0) return { ...none, described: await findNamed(ctx, space, described) }
  if (!isAboutUser) return none
  const telling = user.filter((_, i) => entities[i]!.observationsCount > 0)
  return { ...none, user: await findNamed(ctx, space, telling) }
}

/** Entities as if a question named them. */
async function findNamed({ db }: Context, space: IndexedSpace, ids: readonly number[]): Promise<NameMatch[]> {
  const found = await findIndexedEntities(db, space, ids)
  return found.map((entity) => ({
    ...{ ...entity, words: new Set<number>() },
    ...{ score: 1, isNamed: true, isPartlyNamed: true, isOfType: false },
  }))
}
