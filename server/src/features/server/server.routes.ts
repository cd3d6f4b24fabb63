import { pingDatabase } from '../../db/ping.ts'
import type { Handlers } from '../../http/routes.ts'

export const serverRoutes: Handlers<'health' | 'ready'> = {
  health: async () => ({ status: 'ok' }),
  ready: async ({ ctx }) => {
    ctx.dialect.requireUndamaged()
    await pingDatabase(ctx.db)
    return { status: 'ok' }
  },
}
