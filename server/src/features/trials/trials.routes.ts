import type { Handlers } from '../../doors/http/routes.ts'
import { listDoorCalls } from './door-calls.service.ts'
import { tryDoor } from './trials.service.ts'

export const trialRoutes = {
  listDoorCalls: async ({ ctx, actor }) => ({ calls: await listDoorCalls(ctx, actor) }),
  tryDoor: ({ ctx, actor, body }) => tryDoor(ctx, actor, body),
} satisfies Partial<Handlers>
