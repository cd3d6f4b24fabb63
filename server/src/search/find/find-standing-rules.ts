import { toId } from '../../ground/lib/ids.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import type { Context } from '../../tenancy/context.ts'
import { analyse } from '../analyse/analyser.ts'
import { ruleTerm } from '../analyse/index-text.ts'
import { findStandingRule, subjectOfRule } from '../analyse/standing-rules.ts'
import { likenessOf, toTextVector } from '../meaning/word-vectors.ts'
import { postingsOf } from '../store/posting-lists.ts'
import { readObservations } from '../store/read-space.ts'
import type { WithMemory } from '../store/search-index.repo.ts'

/** Above every number of a passage. */
const aboveAll = 2 ** 32 - 1
/** How much the subject of a rule must be like the question, from 0 to 1. */
const likenessMin = 0.17
/** From here on the best rule surely fits; few of those below do (`npm run bench:rules`). */
const sureMin = 0.35
/** Rules that are less than this share as like the question as the best one are left out. */
const shareOfBest = 0.5

/** The newest observations that hold a standing rule, at most `limit`, also those that are no longer current. */
export async function listStandingRules(
  { db, dialect }: Context,
  scope: WithMemory,
  limit: number,
): Promise<StoredObservation[]> {
  const asked = [{ term: ruleTerm, below: aboveAll, limit }]
  const [posted] = scope.memory?.readOlder(asked) ?? (await postingsOf(dialect).readOlder(db, scope, asked))
  const ids = [...(posted?.ids ?? [])].map((id) => toId('obs', id))
  const found = await readObservations(db, scope, ids)
  return found.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** Rules that may fit a question, the best first. */
export type FittingRules<Rule> = { rules: Rule[]; isSure: boolean }

/**
 * Those of the rules whose subject is like a question: by word vectors, or where a text is not English, has no word that
 * they know, or `wordVectors` is false, by words in common.
 */
export function fittingRules<Rule extends { content: string }>(
  rules: readonly Rule[],
  question: string,
  { wordVectors }: { wordVectors: boolean },
): FittingRules<Rule> {
  if (rules.length === 0) return { rules: [], isSure: false }
  const asked = toSubject(question, wordVectors)
  const like = rules
    .map((rule) => ({ rule, likeness: compare(asked, subjectIn(rule.content)) }))
    .sort((a, b) => b.likeness - a.likeness)
  const best = like[0]!.likeness
  const min = Math.max(likenessMin, best * shareOfBest)
  return {
    rules: like.filter(({ likeness }) => likeness >= min).map(({ rule }) => rule),
    isSure: best >= sureMin,
  }
}

/** What a question or a rule is about. The vector is of an English text. */
type Subject = { vector: Int8Array | undefined; terms: ReadonlySet<string> }

function toSubject(text: string, wordVectors: boolean): Subject {
  const { tokens, language, isCertain } = analyse(text)
  const words = tokens.filter(({ isStop }) => !isStop)
  const mayBeEnglish = language === 'en' || !isCertain
  return {
    vector:
      wordVectors && mayBeEnglish ? toTextVector(words.map(({ surface }) => surface).join(' ')) : undefined,
    terms: new Set(words.map(({ term }) => term)),
  }
}

/** A few accounts' rules, which each question is compared with. */
const rulesMax = 500
const keptLengthMax = 1_000

const subjectIn = memoised(
  rulesMax,
  (content): Subject => toSubject(subjectOfRule(findStandingRule(content) ?? ''), true),
  keptLengthMax,
)

const compare = (asked: Subject, { vector, terms }: Subject): number =>
  asked.vector === undefined || vector === undefined
    ? shareOf(asked.terms, terms)
    : likenessOf(asked.vector, vector)

/** The share of the smaller set that both have. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a]
  return fewer.size === 0 ? 0 : fewer.intersection(more).size / fewer.size
}
