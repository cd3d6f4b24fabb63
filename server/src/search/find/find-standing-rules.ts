import { toId } from '../../ground/lib/ids.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import type { Context } from '../../tenancy/context.ts'
import { analyse } from '../analyse/analyser.ts'
import { ruleTerm } from '../analyse/index-text.ts'
import { findStandingRule, subjectOfRule } from '../analyse/standing-rules.ts'
import { dimensions, productOfSame, toTextVector } from '../meaning/word-vectors.ts'
import { postingsOf } from '../store/posting-lists.ts'
import { readObservations } from '../store/read-space.ts'
import type { WithMemory } from '../store/search-index.repo.ts'

/** Above every number of a passage. */
const aboveAll = 2 ** 32 - 1
/** How much the subject of a rule must be like the question, from 0 to 1. */
const likenessMin = 0.17

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

/**
 * Those of the rules whose subject fits a question, the best first: by word vectors, or where a text has no word that
 * they know, or has `wordVectors` false, by words in common.
 */
export function fittingRules<Rule extends { content: string }>(
  rules: readonly Rule[],
  question: string,
  { wordVectors }: { wordVectors: boolean },
): Rule[] {
  if (rules.length === 0) return []
  const asked = toAsked(question, wordVectors)
  return rules
    .map((rule) => ({ rule, likeness: likenessOf(asked, readRule(rule.content)) }))
    .filter(({ likeness }) => likeness >= likenessMin)
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ rule }) => rule)
}

type Asked = { vector: Int8Array | undefined; terms: ReadonlySet<string> }

const toAsked = (question: string, wordVectors: boolean): Asked => ({
  vector: wordVectors ? toTextVector(question) : undefined,
  terms: termsOf(question),
})

const termsOf = (text: string) =>
  new Set(analyse(text).tokens.flatMap(({ isStop, term }) => (isStop ? [] : [term])))

/** A few accounts' rules, which each question is compared with. */
const rulesMax = 500
const keptLengthMax = 1_000

/** What is compared of a rule. */
const readRule = memoised(
  rulesMax,
  (content): Asked => toAsked(subjectOfRule(findStandingRule(content) ?? ''), true),
  keptLengthMax,
)

function likenessOf(asked: Asked, { vector, terms }: Asked): number {
  const inWords = shareOf(asked.terms, terms)
  if (asked.vector === undefined || vector === undefined) return inWords
  let product = 0
  for (let i = 0; i < dimensions; i += 1) product += asked.vector[i]! * vector[i]!
  return Math.max(inWords, product / productOfSame)
}

/** The share of the smaller set that both have. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a]
  return fewer.size === 0 ? 0 : fewer.intersection(more).size / fewer.size
}
