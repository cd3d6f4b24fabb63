import type { Handlers } from '../../doors/http/routes.ts'
import { requireNotStopping } from '../../doors/http/stopping.ts'
import { pingDatabase } from '../../store/ping.ts'

export const serverRoutes = {
  health: async () => ({ status: 'ok' }),
  ready: async ({ ctx, request }) => {
    requireNotStopping(request.server)
    ctx.dialect.requireUndamaged()
    await pingDatabase(ctx.db)
    return { status: 'ok' }
  },
  seenCaller: async ({ request: { ip: address, protocol, host } }) => ({ address, protocol, host }),
} satisfies Partial<Handlers>
