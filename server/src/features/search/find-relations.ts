import type { Relation } from '@loci/contract/relations'
import type { Context } from '../../context.ts'
import { findRelationsById } from '../../graph/relations.repo.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import type { QueryWord } from './count-words.ts'
import { type NameMatch, termsOf } from './find-names.ts'
import { inverseFrequency } from './ranking.ts'
import {
  listRelationIdsAmong,
  listRelationIdsAround,
  listRelationIdsOfType,
  listTypedRelationIdsAround,
} from './relation-candidates.repo.ts'
import type { TypeTerms } from './types-in-use.ts'

/** A relation that answers a question; 1 is the score of one whose type and ends are all that was asked. */
export type RankedRelation = { relation: Relation; score: number; isOfAskedType: boolean }

const seedsMax = 12
const hitEntitiesMax = 20
const aroundEachMax = 20
const typedEachMax = 30
const ofTypeMax = 40
const amongMax = 60
const typesMatchedMax = 6
/** Below this the words of a type are its relatives or guesses. */
const typePartMin = 0.35
/** Of one end's name beside the type's words: whoever asks names one end and wants to know the other. */
const endWeight = 0.9

/**
 * The relations that a question asks for, best first: around its subjects, of the types it names, and among the
 * entities whose observations were found.
 */
export async function findRelations(
  { db, dialect }: Context,
  space: IndexedSpace,
  relationTypes: TypeTerms,
  words: readonly QueryWord[],
  names: readonly NameMatch[],
  hitEntityIds: readonly string[],
): Promise<RankedRelation[]> {
  if (relationTypes.size === 0) return []
  const types = matchTypes(relationTypes, words)
  const seeds = names
    .filter(({ score }) => score > 0)
    .slice(0, seedsMax)
    .map(({ id }) => id)
  const near = [...new Set([...seeds, ...hitEntityIds.slice(0, hitEntitiesMax)])]
  const typeNames = [...types.keys()]
  const ids = [
    ...(await listRelationIdsAround(db, dialect, space, seeds, aroundEachMax)),
    ...(await listRelationIdsAmong(db, dialect, space, near, amongMax)),
  ]
  for (const type of typeNames) {
    ids.push(...(await listTypedRelationIdsAround(db, dialect, space, near, type, typedEachMax)))
    ids.push(...(await listRelationIdsOfType(db, space, type, ofTypeMax)))
  }
  const found = await findRelationsById(db, dialect, space, [...new Set(ids)])
  const typeTerms = new Set([...relationTypes.values()].flat())
  // What nothing has says nothing of what the question is about.
  const weights = words.map(({ own, terms, count }) =>
    terms.size > 0 || typeTerms.has(own) ? inverseFrequency(count, space.passages) : 0,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const wordsOfName = new Map(names.map(({ id, words }) => [id, words]))
  return found
    .map((relation): RankedRelation => {
      const inType = types.get(relation.type)
      const parts = words.map((word, index) =>
        Math.max(
          inType?.has(index) ? 1 : 0,
          partOfEnd(word, index, wordsOfName.get(relation.fromEntityId), relation.fromEntity.name),
          partOfEnd(word, index, wordsOfName.get(relation.toEntityId), relation.toEntity.name),
        ),
      )
      const score = parts.reduce((sum, part, index) => sum + part * weights[index]!, 0) / total
      return { relation, score, isOfAskedType: inType !== undefined }
    })
    .sort((a, b) => b.score - a.score || (a.relation.id < b.relation.id ? 1 : -1))
}

function partOfEnd(
  { terms }: QueryWord,
  index: number,
  matched: ReadonlySet<number> | undefined,
  name: string,
): number {
  if (matched !== undefined) return matched.has(index) ? endWeight : 0
  return termsOf(name).some((term) => (terms.get(term) ?? 0) >= typePartMin) ? endWeight : 0
}

/** The types that have words of the question, each with the indices of those words. */
function matchTypes(types: TypeTerms, words: readonly QueryWord[]): Map<string, Set<number>> {
  const matched: { type: string; words: Set<number>; share: number }[] = []
  for (const [type, terms] of types) {
    const found = new Set<number>()
    words.forEach((word, index) => {
      if (terms.some((term) => partOf(word, term) >= typePartMin)) found.add(index)
    })
    if (found.size > 0) matched.push({ type, words: found, share: found.size / terms.length })
  }
  matched.sort((a, b) => b.words.size - a.words.size || b.share - a.share)
  return new Map(matched.slice(0, typesMatchedMax).map(({ type, words }) => [type, words]))
}

/** A word that only relations have is not in the vocabulary of texts: then its own term counts. */
const partOf = ({ terms, own }: QueryWord, term: string) => (term === own ? 1 : (terms.get(term) ?? 0))
