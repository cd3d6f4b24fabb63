import type { Handlers } from '../../doors/http/routes.ts'
import { createView, deleteView, listViews, updateView } from './views.service.ts'

export const viewRoutes = {
  listViews: async ({ ctx, actor }) => ({ views: await listViews(ctx, actor) }),
  createView: async ({ ctx, actor, body }) => ({ view: await createView(ctx, actor, body) }),
  updateView: async ({ ctx, actor, params, body }) => ({
    view: await updateView(ctx, actor, params.id, body),
  }),
  deleteView: ({ ctx, actor, params }) => deleteView(ctx, actor, params.id),
} satisfies Partial<Handlers>
