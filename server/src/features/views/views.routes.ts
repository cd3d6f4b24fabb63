import type { Handlers } from '../../doors/http/routes.ts'
import { listRegionNames, nameRegion, unnameRegion } from './region-names.service.ts'
import { createView, deleteView, listViews, updateView } from './views.service.ts'

export const viewRoutes: Handlers<
  'listViews' | 'createView' | 'updateView' | 'deleteView' | 'listRegionNames' | 'nameRegion' | 'unnameRegion'
> = {
  listViews: async ({ ctx, actor }) => ({ views: await listViews(ctx, actor) }),
  createView: async ({ ctx, actor, body }) => ({ view: await createView(ctx, actor, body) }),
  updateView: async ({ ctx, actor, params, body }) => ({
    view: await updateView(ctx, actor, params.id, body),
  }),
  deleteView: ({ ctx, actor, params }) => deleteView(ctx, actor, params.id),
  listRegionNames: async ({ ctx, actor }) => ({ names: await listRegionNames(ctx, actor) }),
  nameRegion: ({ ctx, actor, params, body }) => nameRegion(ctx, actor, params.entityId, body.name),
  unnameRegion: ({ ctx, actor, params }) => unnameRegion(ctx, actor, params.entityId),
}
