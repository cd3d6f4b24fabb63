import type { Handlers } from '../../doors/http/routes.ts'
import { streamWhileValid } from '../../doors/http/while-valid.ts'
import { listAudit } from './audit.service.ts'
import { exportAudit } from './export-audit.ts'

export const auditRoutes = {
  listAudit: ({ ctx, actor, query }) => listAudit(ctx, actor, query),
  exportAudit: async (call) => {
    call.reply.header('content-disposition', 'attachment; filename="audit.csv"')
    return streamWhileValid(call, 'members:manage', await exportAudit(call.ctx, call.actor, call.query))
  },
} satisfies Partial<Handlers>
