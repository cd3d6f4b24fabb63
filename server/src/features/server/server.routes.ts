import { pingDatabase } from '../../db/ping.ts'
import type { Handlers } from '../../http/routes.ts'
import { requireNotStopping } from '../../http/stopping.ts'

export const serverRoutes: Handlers<'health' | 'ready'> = {
  health: async () => ({ status: 'ok' }),
  ready: async ({ ctx, request }) => {
    requireNotStopping(request.server)
    ctx.dialect.requireUndamaged()
    await pingDatabase(ctx.db)
    return { status: 'ok' }
  },
}
