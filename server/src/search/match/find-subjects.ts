import type { Context } from '../../tenancy/context.ts'
import { isEnglishWord } from '../analyse/dictionary.ts'
import { foldCase, foldDiacritics } from '../analyse/fold.ts'
import type { Question } from '../ask/question.ts'
import type { WeightedList } from '../store/posting-lists.ts'
import { listPassageIdsOf } from '../store/search.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { findNames, type NameMatch } from './find-names.ts'
import type { MatchedWords } from './vocabulary-match.ts'
import { inverseFrequency, weights } from './weights.ts'

/** What a question may be about: entities with its words in their names, types or metadata, best first. */
export type Subjects = {
  names: NameMatch[]
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
  user: readonly NameMatch[],
): Promise<Subjects> {
  const isUser = new Set(user.map(({ id }) => id))
  const found = await findNames(ctx, space, question, matched)
  const names = [...user, ...found.filter(({ id }) => !isUser.has(id))]
  const isStrong = ({ score, isNamed }: NameMatch) => isNamed || score >= subjectMin
  const strong = names.filter(isStrong).slice(0, subjectsMax)
  const isNaming = names.some(({ isNamed, isPartlyNamed }) => isNamed || isPartlyNamed === true)
  const isFaint = (name: NameMatch) => !isNaming && !isStrong(name) && name.score >= faintMin
  const faint = names.filter(isFaint).slice(0, faintMax)
  const best = [...strong, ...faint]
  const idsOf = await listPassages(ctx, space, strong, faint)
  const idf = matched.words.map(({ count }) => inverseFrequency(count, space.passages))
  const lists = best.flatMap(({ id, words, isNamed }) => {
    const ids = idsOf.get(id)
    if (ids === undefined) return []
    const weight = [...words].reduce((sum, word) => sum + weights.name * idf[word]!, 0)
    // "Bob" means Bob rather than Big Bob, however much is known about Big Bob.
    return [{ ids, weight: isNamed ? weight : weight * partlyNamed }]
  })
  const isAskedAbout = ({ id, name, isNamed, isPartlyNamed }: NameMatch) =>
    idsOf.has(id) && (isUser.has(id) || isPartlyNamed === true || (isNamed && isDistinctive(name)))
  const named = best.filter(({ isNamed }) => isNamed).flatMap(({ id }) => idsOf.get(id) ?? [])
  return { names, lists, named, askedAbout: new Set(best.filter(isAskedAbout).map(({ id }) => id)) }
}

/** The newest passages of each entity, as many of each unless it is named in full. */
async function listPassages(
  { db }: Context,
  space: IndexedSpace,
  subjects: readonly NameMatch[],
  faint: readonly NameMatch[],
): Promise<Map<number, Uint32Array>> {
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

/** A name that is a plain dictionary word may occur in a question about something else. */
const isDistinctive = (name: string) =>
  /\S[\s_-]\S/u.test(name) || !isEnglishWord(foldDiacritics(foldCase(name)))
