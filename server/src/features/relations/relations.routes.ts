import type { Handlers } from '../../doors/http/routes.ts'
import {
  createRelation,
  deleteRelation,
  listRelations,
  listRelationTypes,
  updateRelation,
} from './relations.service.ts'
import { listRelationsAsOf } from './relations-as-of.ts'

type Operations =
  | 'listRelations'
  | 'listRelationTypes'
  | 'createRelation'
  | 'updateRelation'
  | 'deleteRelation'

export const relationRoutes: Handlers<Operations> = {
  listRelations: ({ ctx, actor, query }) =>
    query.asOf === undefined
      ? listRelations(ctx, actor, query)
      : listRelationsAsOf(ctx, actor, query, query.asOf),
  listRelationTypes: async ({ ctx, actor }) => ({ types: await listRelationTypes(ctx, actor) }),
  createRelation: async ({ ctx, actor, body }) => ({ relation: await createRelation(ctx, actor, body) }),
  updateRelation: async ({ ctx, actor, params, body }) => ({
    relation: await updateRelation(ctx, actor, params.id, body.type),
  }),
  deleteRelation: ({ ctx, actor, params }) => deleteRelation(ctx, actor, params.id),
}
