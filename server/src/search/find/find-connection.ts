import type { Relation } from '@loci/contract/relations'
import { toId } from '../../ground/lib/ids.ts'
import { findRelationsByNumber } from '../../rows/relations.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Question } from '../ask/question.ts'
import type { NameMatch } from '../match/find-names.ts'
import { listRelationIdsAround } from '../store/relation-candidates.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'

/** Stems of words that ask how two things are connected. */
const connecting = new Set(
  'connect connection relat relationship link know common tie associ join have share'.split(' '),
)
const aroundMax = 300
const pathsMax = 3

/**
 * The relations that connect the two entities that a question names, if it asks nothing else: directly, or through an
 * entity related to both. find_path handles longer paths.
 */
export async function findConnectingRelations(
  { db }: Context,
  space: IndexedSpace,
  question: Question,
  names: readonly NameMatch[],
): Promise<Relation[]> {
  const [one, other] = pickTwo(names)
  if (one === undefined || other === undefined) return []
  const named = new Set([
    ...one.fields.name,
    ...other.fields.name,
    ...one.fields.nameWholes,
    ...other.fields.nameWholes,
  ])
  if (!question.words.every(({ term }) => named.has(term) || connecting.has(term))) return []
  const ids = await listRelationIdsAround(db, space, [one.id, other.id], aroundMax)
  const relations = await findRelationsByNumber(db, space, [...new Set(ids)])
  const [oneId, otherId] = [toId('ent', one.id), toId('ent', other.id)]
  const isBetween = ({ fromEntityId, toEntityId }: Relation) =>
    new Set([fromEntityId, toEntityId, oneId, otherId]).size === 2
  const direct = relations.filter(isBetween)
  if (direct.length > 0) return direct
  const ofOne = Map.groupBy(relations, (relation) => otherEnd(relation, oneId))
  const ofOther = Map.groupBy(relations, (relation) => otherEnd(relation, otherId))
  const common = [...ofOne.keys()].filter((id) => id !== undefined && ofOther.has(id)).slice(0, pathsMax)
  return common.flatMap((id) => [ofOne.get(id)![0]!, ofOther.get(id)![0]!])
}

/** Two names in the question that have no word in common. */
function pickTwo(names: readonly NameMatch[]): NameMatch[] {
  const [one, ...others] = names.filter(({ isNamed }) => isNamed)
  if (one === undefined) return []
  const other = others.find(({ words }) => [...words].every((word) => !one.words.has(word)))
  return other === undefined ? [] : [one, other]
}

/** Undefined if the relation does not connect the entity. */
function otherEnd({ fromEntityId, toEntityId }: Relation, id: string): string | undefined {
  if (fromEntityId === id) return toEntityId
  return toEntityId === id ? fromEntityId : undefined
}
