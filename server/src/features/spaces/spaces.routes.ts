import type { Handlers } from '../../doors/http/routes.ts'
import { createSpace, deleteSpace, listSpaces, updateSpace } from './spaces.service.ts'

export const spaceRoutes = {
  listSpaces: async ({ ctx, actor }) => ({ spaces: await listSpaces(ctx, actor) }),
  createSpace: async ({ ctx, actor, body }) => ({ space: await createSpace(ctx, actor, body) }),
  updateSpace: async ({ ctx, actor, params, body }) => ({
    space: await updateSpace(ctx, actor, params.id, body),
  }),
  deleteSpace: ({ ctx, actor, params }) => deleteSpace(ctx, actor, params.id),
} satisfies Partial<Handlers>
