import { z } from 'zod'
import { NextCursor, PageQuery } from './lists.ts'
import { AsOf } from './moments.ts'
import { CommaList, IsoDateTime, nameText, nonBlankText, QueryText } from './text.ts'

export const relationTypeMax = 64

/** The relation types that the forms offer; any other text of up to 64 characters is also a type. */
export const knownRelationTypes = [
  'relates_to',
  'depends_on',
  'part_of',
  'uses',
  'enables',
  'based_on',
  'implements',
  'extends',
  'contains',
  'influences',
] as const

export const RelationType = nameText(relationTypeMax, 'Relation type')

const RelationEnd = z.object({ name: z.string(), type: z.string() })

export const Relation = z.object({
  id: z.string(),
  fromEntityId: z.string(),
  toEntityId: z.string(),
  /** Always the same as `relationType`. */
  type: z.string(),
  relationType: z.string(),
  createdAt: IsoDateTime,
  fromEntity: RelationEnd,
  toEntity: RelationEnd,
  /** In lists: it waits for a review, and only its proposer is told of it. */
  proposed: z.literal(true).optional(),
})
export type Relation = z.infer<typeof Relation>

const OptionalType = RelationType.optional()

/** Reads the type from either of its two names. */
export function requireType<T extends { type?: string | undefined; relationType?: string | undefined }>(
  body: T,
  issues: z.RefinementCtx,
) {
  const { relationType, type = relationType, ...rest } = body
  if (type === undefined)
    issues.addIssue({ code: 'custom', path: ['type'], message: 'Relation type is required' })
  else if (type !== (relationType ?? type))
    issues.addIssue({ code: 'custom', path: ['relationType'], message: 'Must be the same as type, if given' })
  return { ...rest, type: type ?? '' }
}

/** Body of `POST /api/relations`; the type is given as `type` or `relationType`, or as both alike. */
export const CreateRelation = z
  .object({
    fromEntityId: nonBlankText(128, 'Source entity'),
    toEntityId: nonBlankText(128, 'Target entity'),
    type: OptionalType,
    relationType: OptionalType,
  })
  .transform(requireType)
export type CreateRelation = z.infer<typeof CreateRelation>

/** Body of `PUT /api/relations/:id`: only the type can change. */
export const UpdateRelation = z
  .object({ type: OptionalType, relationType: OptionalType })
  .transform(requireType)
export type UpdateRelation = z.infer<typeof UpdateRelation>

export const ListRelationsQuery = PageQuery.extend({
  /** Part of the name of either end, or of the type; case-insensitive. */
  query: QueryText,
  relationTypes: CommaList.optional(),
  entityId: z.string().max(128).optional(),
  asOf: AsOf,
})
export type ListRelationsQuery = z.infer<typeof ListRelationsQuery>

export const RelationsResponse = z.object({
  relations: z.array(Relation),
  /**
   * Exact, except for a search that matches much of a space with more than 200,000 relations: then a
   * lower bound.
   */
  total: z.number().int(),
  nextCursor: NextCursor,
})
export type RelationsResponse = z.infer<typeof RelationsResponse>
export const RelationResponse = z.object({ relation: Relation })
