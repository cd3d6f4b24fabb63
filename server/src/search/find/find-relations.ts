import type { Relation } from '@loci/contract/relations'
import { compareIds, numberOf, toId } from '../../ground/lib/ids.ts'
import type { Context } from '../../tenancy/context.ts'
import type { TypeTerms } from '../match/candidates.ts'
import type { QueryWord } from '../match/count-words.ts'
import { type NameMatch, termsOf } from '../match/subjects.ts'
import { inverseFrequency } from '../match/weights.ts'
import type { Ranked } from '../rank/rank.ts'
import { readRelationRows } from '../store/read-space.ts'
import {
  listRelationIdsAmong,
  listRelationIdsAround,
  listRelationIdsOfType,
  listTypedRelationIdsAround,
} from '../store/relation-candidates.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'

/** A relation that answers a question; the score is 1 if its type and ends cover the whole question. */
export type RankedRelation = { relation: Relation; score: number; isOfAskedType: boolean }

const seedsMax = 12
const hitEntitiesMax = 20
const aroundEachMax = 20
const typedEachMax = 30
const ofTypeMax = 40
const amongMax = 60
const typesMatchedMax = 6
/** Terms with a smaller weight are relatives or guesses, and do not match a type. */
const typePartMin = 0.35
/** Weight of a word in an end's name, relative to the type: questions name one end and ask for the other. */
const endWeight = 0.9
/** Part of the leading relation's matches that a second-step relation inherits. */
const secondStepPart = 0.9
const leadingMax = 8
/** Minimum score of a leading relation, as a part of the best one's. */
const leadingMin = 0.9

type Asked = {
  space: IndexedSpace
  words: readonly QueryWord[]
  weights: readonly number[]
  /** The words of the question in each type. */
  types: ReadonlyMap<string, ReadonlySet<number>>
  /** The words of the question in each entity. */
  names: ReadonlyMap<string, ReadonlySet<number>>
}

/**
 * The relations that a question asks for, best first: those that connect the two entities it names; those around its
 * subjects, of the types it names, or among the entities whose observations were found; and those of a second step
 * ("where does the owner of checkout-service work?").
 */
export async function findRelations(ctx: Context, answer: Ranked): Promise<RankedRelation[]> {
  if (answer.types.relations.size === 0) return []
  const connection = await findConnectingRelations(ctx, answer)
  const first = connection.map((relation) => ({ relation, score: 1, isOfAskedType: true }))
  const ids = new Set(connection.map(({ id }) => id))
  const asked = await findAsked(ctx, answer)
  return [...first, ...asked.filter(({ relation }) => !ids.has(relation.id))]
}

/** The only function word that asks for relations: "What does Ada own?" */
const ownership: QueryWord = {
  ...{ own: 'own', surface: 'own', terms: new Map([['own', 1]]), count: 0, rarity: 1 },
}

async function findAsked(
  ctx: Context,
  { question, space, types: { relations: relationTypes }, words: contentWords, names, ranked }: Ranked,
): Promise<RankedRelation[]> {
  const hits = ranked.slice(0, question.limit).map(({ passage }) => passage.entityId)
  const words = question.terms.has(ownership.own) ? [...contentWords, ownership] : contentWords
  const typeTerms = new Set([...relationTypes.values()].flat())
  const asked: Asked = {
    space,
    words,
    // A word that matches nothing says nothing about the subject.
    weights: words.map(({ own, terms, count }) =>
      terms.size > 0 || typeTerms.has(own) ? inverseFrequency(count, space.passages) : 0,
    ),
    types: matchTypes(relationTypes, words),
    names: new Map(names.map(({ id, words }) => [toId('ent', id), words])),
  }
  const subjects = names.filter(({ score }) => score > 0).slice(0, seedsMax)
  const found = await listCandidates(
    ctx,
    asked,
    subjects.map(({ id }) => id),
    hits,
  )
  const first = found.map((relation) => rank(asked, relation))
  const second = await takeSecondStep(ctx, asked, first)
  const best = new Map<string, Scored>()
  for (const scored of [...first, ...second]) {
    const known = best.get(scored.relation.id)
    if (known === undefined || known.score < scored.score) best.set(scored.relation.id, scored)
  }
  return [...best.values()].sort((a, b) => b.score - a.score || compareIds(b.relation.id, a.relation.id))
}

async function listCandidates(
  { db }: Context,
  { space, types }: Asked,
  subjectIds: readonly number[],
  hitEntityIds: readonly number[],
): Promise<Relation[]> {
  const near = [...new Set([...subjectIds, ...[...new Set(hitEntityIds)].slice(0, hitEntitiesMax)])]
  const ids = [
    ...(await listRelationIdsAround(db, space, subjectIds, aroundEachMax)),
    ...(await listRelationIdsAmong(db, space, near, amongMax)),
  ]
  for (const type of types.keys()) {
    ids.push(...(await listTypedRelationIdsAround(db, space, near, type, typedEachMax)))
    ids.push(...(await listRelationIdsOfType(db, space, type, ofTypeMax)))
  }
  return readRelationRows(db, space, [...new Set(ids)])
}

/** `parts`: how well the relation matches each word of the question. */
type Scored = RankedRelation & { parts: readonly number[] }

/** @param given what the relation inherits from the one that led to it */
function rank(
  { words, weights, types, names }: Asked,
  relation: Relation,
  given?: readonly number[],
): Scored {
  const inType = types.get(relation.type)
  const parts = words.map((word, index) =>
    Math.max(
      inType?.has(index) ? 1 : 0,
      partOfEnd(word, index, names.get(relation.fromEntityId), relation.fromEntity.name),
      partOfEnd(word, index, names.get(relation.toEntityId), relation.toEntity.name),
      given?.[index] ?? 0,
    ),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const score = parts.reduce((sum, part, index) => sum + part * weights[index]!, 0) / total
  return { relation, score, isOfAskedType: inType !== undefined, parts }
}

/** Follows relations of an asked type to their far ends, and from there relations of another asked type. */
async function takeSecondStep({ db }: Context, asked: Asked, first: readonly Scored[]): Promise<Scored[]> {
  if (asked.types.size < 2) return []
  const reached = new Map<string, Scored>()
  const candidates = first.filter(({ isOfAskedType, score }) => isOfAskedType && score < 1)
  const best = candidates.reduce((max, { score }) => Math.max(max, score), 0)
  const leading = candidates
    .filter(({ score }) => score >= best * leadingMin)
    .sort((a, b) => b.score - a.score)
    .slice(0, leadingMax)
  for (const scored of leading) {
    const { fromEntityId, toEntityId } = scored.relation
    const [isFromAsked, isToAsked] = [fromEntityId, toEntityId].map(
      (id) => (asked.names.get(id)?.size ?? 0) > 0,
    )
    if (isFromAsked === isToAsked) continue
    const end = isFromAsked ? toEntityId : fromEntityId
    if (!reached.has(end)) reached.set(end, scored)
  }
  const ids: number[] = []
  for (const type of asked.types.keys()) {
    ids.push(
      ...(await listTypedRelationIdsAround(
        db,
        asked.space,
        [...reached.keys()].map((id) => numberOf('ent', id)),
        type,
        typedEachMax,
      )),
    )
  }
  const relations = await readRelationRows(db, asked.space, [...new Set(ids)])
  return relations.flatMap((relation) =>
    [relation.fromEntityId, relation.toEntityId].flatMap((id) => {
      const lead = reached.get(id)
      if (lead === undefined || lead.relation.id === relation.id || lead.relation.type === relation.type)
        return []
      return [
        rank(
          asked,
          relation,
          lead.parts.map((part) => part * secondStepPart),
        ),
      ]
    }),
  )
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

/** The types that contain words of the question, each with the indices of those words. */
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

/** A word that occurs only in relations is not in the vocabulary of texts, so its own term is compared. */
const partOf = ({ terms, own }: QueryWord, term: string) => (term === own ? 1 : (terms.get(term) ?? 0))

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
async function findConnectingRelations(
  { db }: Context,
  { question, space, names }: Ranked,
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
  const relations = await readRelationRows(db, space, [...new Set(ids)])
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
