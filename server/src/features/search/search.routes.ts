import type { SearchObservationsQuery, SearchQuery } from '@loci/contract/search'
import type { Handlers } from '../../doors/http/routes.ts'
import { type Actor, mayHaveProposals } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { previewRecall } from '../memories/preview-recall.ts'
import { search, searchObservations } from './search.service.ts'

export const searchRoutes = {
  previewRecall: ({ ctx, actor, body }) => previewRecall(ctx, actor, body),
  search: ({ ctx, actor, query }) => searchAll(ctx, actor, query),
  searchByBody: ({ ctx, actor, body }) => searchAll(ctx, actor, body),
  searchObservationsByBody: ({ ctx, actor, body }) => searchFacts(ctx, actor, body),
  searchObservations: ({ ctx, actor, query }) => searchFacts(ctx, actor, query),
} satisfies Partial<Handlers>

async function searchAll(ctx: Context, actor: Actor, query: SearchQuery) {
  const run = (asked: SearchQuery) => search(ctx, actor, asked)
  if (!mayHaveProposals(actor)) return run(query)
  const { searchWithProposed } = await import('../proposals/own-in-lists.ts')
  return searchWithProposed(ctx, actor, query, run)
}

async function searchFacts(ctx: Context, actor: Actor, query: SearchObservationsQuery) {
  const run = (asked: SearchObservationsQuery) => searchObservations(ctx, actor, asked)
  if (!mayHaveProposals(actor)) return run(query)
  const { searchObservationsWithProposed } = await import('../proposals/own-in-lists.ts')
  return searchObservationsWithProposed(ctx, actor, query, run)
}
