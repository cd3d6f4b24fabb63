import { Readable } from 'node:stream'
import type { Handlers } from '../../doors/http/routes.ts'
import { listAudit } from './audit.service.ts'
import { exportAudit } from './export-audit.ts'

export const auditRoutes = {
  listAudit: ({ ctx, actor, query }) => listAudit(ctx, actor, query),
  exportAudit: async ({ ctx, actor, query, reply }) => {
    reply.header('content-disposition', 'attachment; filename="audit.csv"')
    return Readable.from(await exportAudit(ctx, actor, query), { objectMode: false })
  },
} satisfies Partial<Handlers>
