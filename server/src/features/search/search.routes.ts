import type { Handlers } from '../../doors/http/routes.ts'
import { previewRecall } from '../memories/preview-recall.ts'
import { search, searchObservations } from './search.service.ts'

type Operations =
  | 'previewRecall'
  | 'search'
  | 'searchByBody'
  | 'searchObservations'
  | 'searchObservationsByBody'

export const searchRoutes: Handlers<Operations> = {
  previewRecall: ({ ctx, actor, body }) => previewRecall(ctx, actor, body),
  search: ({ ctx, actor, query }) => search(ctx, actor, query),
  searchByBody: ({ ctx, actor, body }) => search(ctx, actor, body),
  searchObservationsByBody: ({ ctx, actor, body }) => searchObservations(ctx, actor, body),
  searchObservations: ({ ctx, actor, query }) => searchObservations(ctx, actor, query),
}
