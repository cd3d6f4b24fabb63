import type { Handlers } from '../../doors/http/routes.ts'
import { createKey, deleteKey, listKeys, rollKey, updateKey } from './keys.service.ts'

export const keyRoutes = {
  listKeys: async ({ ctx, actor }) => ({ apiKeys: await listKeys(ctx, actor) }),
  createKey: ({ ctx, actor, body }) => createKey(ctx, actor, body),
  updateKey: ({ ctx, actor, params, body }) => updateKey(ctx, actor, params.id, body),
  rollKey: async ({ ctx, actor, params }) => ({ newKey: await rollKey(ctx, actor, params.id) }),
  deleteKey: ({ ctx, actor, params }) => deleteKey(ctx, actor, params.id),
} satisfies Partial<Handlers>
