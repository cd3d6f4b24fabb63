import type { Context } from '../../context.ts'
import { isEnglishWord } from '../../search-index/dictionary.ts'
import { foldCase, foldDiacritics } from '../../search-index/fold.ts'
import type { WeightedList } from '../../search-index/posting-lists.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import { findNames, type NameMatch } from './find-names.ts'
import type { Question } from './question.ts'
import { listPassageIdsOf } from './search.repo.ts'
import type { MatchedWords } from './vocabulary-match.ts'
import { inverseFrequency, weights } from './weights.ts'

/** What a question may be about: entities with its words in their names, types or metadata, best first. */
export type Subjects = {
  names: NameMatch[]
  /** Their newest passages, which count as if they contained those words. */
  lists: WeightedList[]
  /** Entities that the question names, in full or by a part that is theirs alone, and that have facts. */
  askedAbout: Set<number>
}

const subjectMin = 0.25
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
): Promise<Subjects> {
  const names = await findNames(ctx, space, question, matched)
  const best = names.filter(({ score, isNamed }) => isNamed || score >= subjectMin).slice(0, subjectsMax)
  const each = Math.floor(passagesMax / Math.max(1, best.length))
  const limit = Math.min(passagesEachMax, Math.max(passagesEachMin, each))
  const idsOf = await listPassageIdsOf(
    ctx.db,
    space,
    best.map(({ id }) => id),
    limit,
  )
  const idf = matched.words.map(({ count }) => inverseFrequency(count, space.passages))
  const lists = best.flatMap(({ id, words, isNamed }) => {
    const ids = idsOf.get(id)
    if (ids === undefined) return []
    const weight = [...words].reduce((sum, word) => sum + weights.name * idf[word]!, 0)
    // "Bob" means Bob rather than Big Bob, however much is known about Big Bob.
    return [{ ids, weight: isNamed ? weight : weight * partlyNamed }]
  })
  const isAskedAbout = ({ id, name, isNamed, isPartlyNamed }: NameMatch) =>
    idsOf.has(id) && (isPartlyNamed === true || (isNamed && isDistinctive(name)))
  return { names, lists, askedAbout: new Set(best.filter(isAskedAbout).map(({ id }) => id)) }
}

/** A name that is a plain dictionary word may occur in a question about something else. */
const isDistinctive = (name: string) =>
  /\S[\s_-]\S/u.test(name) || !isEnglishWord(foldDiacritics(foldCase(name)))
