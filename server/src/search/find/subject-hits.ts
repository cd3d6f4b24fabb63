import type { EntityHit, RelationHit } from '@loci/contract/search'
import { toId } from '../../ground/lib/ids.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { numberOf } from '../../rows/numbers-of.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { RankedRelation } from './find-relations.ts'
import type { Findings, Inquiry } from './findings.ts'

const relationsMax = 50
const entitiesMax = 20
/** Minimum part of the question that an entity must cover to be a subject. */
const subjectMin = 0.3
/** Minimum part of the question that a relation must cover to answer by its type. */
const answerMin = 0.3

/** Whether a relation's type is named in the question, and it covers enough of the question. */
export const answersBy = ({ isOfAskedType, score }: RankedRelation) => isOfAskedType && score >= answerMin

/** The relations found that pass the filter, best first, in their public form. */
export function toRelationHits({ relations }: Findings, inquiry: Inquiry): RelationHit[] {
  const { types = [], after = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = inquiry
  const fits = ({ relation: { fromEntity, toEntity, createdAt } }: RankedRelation) =>
    (types.length === 0 || types.includes(fromEntity.type) || types.includes(toEntity.type)) &&
    fromIso(createdAt) >= after &&
    fromIso(createdAt) < before
  return relations
    .filter(fits)
    .slice(0, relationsMax)
    .map(({ relation, score }) => ({
      id: relation.id,
      from: { id: relation.fromEntityId, ...relation.fromEntity },
      relationType: relation.type,
      to: { id: relation.toEntityId, ...relation.toEntity },
      createdAt: relation.createdAt,
      score: round(score),
    }))
}

/** The entities that a question is about, best first; if it asks for a list, all of the list. */
export async function loadEntityHits(
  { db }: Context,
  scope: Scope,
  { listed, names, created, ranked }: Findings,
  { types = [], after, before }: Inquiry,
): Promise<EntityHit[]> {
  const told = new Set(ranked.map(({ passage }) => passage.entityId))
  const isDated = after !== undefined || before !== undefined
  const fits = (id: number, type: string) =>
    (types.length === 0 || types.includes(type)) && (!isDated || told.has(id))
  const all = created.length > 0 ? created : listed?.entities
  if (all !== undefined) {
    return all.filter(({ id, type }) => fits(numberOf('ent', id), type)).map((entity) => toHit(entity, 1))
  }
  const subjects = names
    .filter(({ score }) => score >= subjectMin)
    .filter(({ id, type }) => fits(id, type))
    .slice(0, entitiesMax)
  const ids = subjects.map(({ id }) => toId('ent', id))
  const byId = new Map((await findEntitiesById(db, scope, ids)).map((entity) => [entity.id, entity]))
  return subjects.flatMap(({ id, score }) => {
    const entity = byId.get(toId('ent', id))
    return entity === undefined ? [] : [toHit(entity, score)]
  })
}

const toHit = (
  { id, name, type, metadata, observationsCount }: Omit<EntityHit, 'score'>,
  score: number,
): EntityHit => ({ id, name, type, metadata, observationsCount, score: round(score) })

const round = (score: number) => Math.round(score * 10_000) / 10_000
