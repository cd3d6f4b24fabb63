import type { ListRelationsQuery, RelationsResponse } from '@loci/contract/relations'
import type { Handlers } from '../../doors/http/routes.ts'
import { type Actor, mayHaveProposals } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import {
  createRelation,
  deleteRelation,
  listRelations,
  listRelationTypes,
  updateRelation,
} from './relations.service.ts'
import { listRelationsAsOf } from './relations-as-of.ts'

export const relationRoutes = {
  listRelations: ({ ctx, actor, query }) =>
    query.asOf === undefined
      ? listCurrent(ctx, actor, query)
      : listRelationsAsOf(ctx, actor, query, query.asOf),
  listRelationTypes: async ({ ctx, actor }) => ({ types: await listRelationTypes(ctx, actor) }),
  createRelation: async ({ ctx, actor, body }) => ({ relation: await createRelation(ctx, actor, body) }),
  updateRelation: async ({ ctx, actor, params, body }) => ({
    relation: await updateRelation(ctx, actor, params.id, body.type),
  }),
  deleteRelation: ({ ctx, actor, params }) => deleteRelation(ctx, actor, params.id),
} satisfies Partial<Handlers>

async function listCurrent(
  ctx: Context,
  actor: Actor,
  query: ListRelationsQuery,
): Promise<RelationsResponse> {
  const list = (asked: ListRelationsQuery) => listRelations(ctx, actor, asked)
  if (!mayHaveProposals(actor)) return list(query)
  const { listRelationsWithProposed } = await import('../proposals/own-in-lists.ts')
  return listRelationsWithProposed(ctx, actor, query, list)
}
