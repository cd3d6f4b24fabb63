import type { Handlers } from '../../doors/http/routes.ts'
import { requireNotStopping } from '../../doors/http/stopping.ts'
import { pingDatabase } from '../../store/ping.ts'

export const serverRoutes: Handlers<'health' | 'ready'> = {
  health: async () => ({ status: 'ok' }),
  ready: async ({ ctx, request }) => {
    requireNotStopping(request.server)
    ctx.dialect.requireUndamaged()
    await pingDatabase(ctx.db)
    return { status: 'ok' }
  },
}
