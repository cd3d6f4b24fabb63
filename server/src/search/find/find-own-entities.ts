import { findEntitiesByName } from '../../rows/entities.repo.ts'
import { numberOf } from '../../rows/numbers-of.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { asksInFirstPerson } from '../analyse/first-person.ts'
import { subjectOf } from '../ask/question.ts'
import type { Passage, WordCounter } from '../match/count-words.ts'
import type { NameMatch, Subjects } from '../match/subjects.ts'
import { inverseFrequency } from '../match/weights.ts'
import type { RankingInput } from '../rank/ranking.ts'
import { findIndexedEntities } from '../store/search.repo.ts'
import type { Inquiry } from './findings.ts'

/** Names that agents use for the entity of the person they talk to. */
export const userNames = ['default_user', 'user', 'User', 'me']

/** The entities of the user, if a question is about oneself ("Which editor do I use?"), as if it named them. */
export async function findOwnEntities(
  { db }: Context,
  scope: Scope,
  { query, typing }: Inquiry,
): Promise<NameMatch[]> {
  const complete = typing ? query.replace(/\S+$/u, '') : query
  if (!asksInFirstPerson(subjectOf(complete))) return []
  const entities = await findEntitiesByName(db, scope, userNames)
  const ids = entities
    .filter(({ observationsCount }) => observationsCount > 0)
    .map(({ id }) => numberOf('ent', id))
  const found = await findIndexedEntities(db, scope, ids)
  return found.map((entity) => ({
    ...{ ...entity, words: new Set<number>() },
    ...{ score: 1, isNamed: true, isOfType: false },
  }))
}

/** From this part of a question on, a passage answers it, whoever it is about. */
const answeredMin = 0.6
/** The score of the user as a subject of such a question. */
const answeredScore = 0.4

/**
 * The user's facts come first only where no other entity is asked about and no other passage has most of the question
 * ("Why did I choose Postgres?").
 */
export function yieldToAnswers(
  user: readonly NameMatch[],
  { names, askedAbout }: Subjects,
  { words, statistics, counter }: Pick<RankingInput, 'words' | 'statistics'> & { counter: WordCounter },
  passages: readonly Passage[],
): NameMatch[] {
  const ids = new Set(user.map(({ id }) => id))
  const idf = words.map(({ count }) => inverseFrequency(count, statistics.passages))
  const total = idf.reduce((sum, weight) => sum + weight, 0)
  const covers = (passage: Passage) => {
    const { frequencies } = counter.inPassage(passage)
    return (
      idf.reduce((sum, weight, i) => (frequencies[i]! > 0 ? sum + weight : sum), 0) >= answeredMin * total
    )
  }
  const others = passages.filter(({ entityId }) => !ids.has(entityId))
  if (ids.size === 0 || (askedAbout.size === ids.size && !others.some(covers))) return names
  for (const id of ids) askedAbout.delete(id)
  return names.map((name) => (ids.has(name.id) ? { ...name, score: answeredScore } : name))
}
