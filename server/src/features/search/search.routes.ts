import type { Handlers } from '../../http/routes.ts'
import { search, searchObservations } from './search.service.ts'

export const searchRoutes: Handlers<'search' | 'searchObservations'> = {
  search: ({ ctx, actor, query }) => search(ctx, actor, query),
  searchObservations: ({ ctx, actor, query }) => searchObservations(ctx, actor, query),
}
