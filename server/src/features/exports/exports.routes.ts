import { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import type { Handlers } from '../../http/routes.ts'
import { exportGraphAsOf } from './export-as-of.ts'
import { exportGraph } from './exports.service.ts'
import { recordExport } from './record-export.ts'

export const exportRoutes: Handlers<'export'> = {
  export: async ({ ctx, actor, query, reply }) => {
    const name = query.format === 'loci' ? 'loci.jsonl' : 'memory.jsonl'
    reply.header('content-disposition', `attachment; filename="${name}"`)
    const { format, asOf, ids } = query
    if (ids !== undefined && asOf !== undefined) {
      throw new AppError('validation_failed', 'Entities of the past cannot be chosen: leave out ids, or asOf')
    }
    await recordExport(ctx, actor, query)
    const lines =
      asOf === undefined ? exportGraph(ctx, actor, format, ids) : exportGraphAsOf(ctx, actor, format, asOf)
    return Readable.from(lines, { objectMode: false })
  },
}
