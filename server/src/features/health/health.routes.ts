import type { Handlers } from '../../doors/http/routes.ts'
import { eraseObservation } from './erase-observation.ts'
import { dismissHealthItem, getMemoryHealth, undismissHealthItem } from './health.service.ts'

export const healthRoutes = {
  getMemoryHealth: ({ ctx, actor, query }) => getMemoryHealth(ctx, actor, query),
  dismissHealthItem: ({ ctx, actor, body }) => dismissHealthItem(ctx, actor, body.id),
  undismissHealthItem: ({ ctx, actor, body }) => undismissHealthItem(ctx, actor, body.id),
  eraseObservation: ({ ctx, actor, params, body }) => eraseObservation(ctx, actor, params.id, body.content),
} satisfies Partial<Handlers>
