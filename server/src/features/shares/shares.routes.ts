import type { Handlers } from '../../doors/http/routes.ts'
import { createShare, deleteShare, listShares } from './shares.service.ts'

export const shareRoutes = {
  listShares: async ({ ctx, actor }) => ({ shares: await listShares(ctx, actor) }),
  createShare: ({ ctx, actor, body }) => createShare(ctx, actor, body),
  deleteShare: ({ ctx, actor, params }) => deleteShare(ctx, actor, params.id),
} satisfies Partial<Handlers>
