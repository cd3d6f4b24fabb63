import { Readable } from 'node:stream'
import type { Handlers } from '../../http/routes.ts'
import { exportGraphAsOf } from './export-as-of.ts'
import { exportGraph } from './exports.service.ts'

export const exportRoutes: Handlers<'export'> = {
  export: async ({ ctx, actor, query, reply }) => {
    const name = query.format === 'loci' ? 'loci.jsonl' : 'memory.jsonl'
    reply.header('content-disposition', `attachment; filename="${name}"`)
    const lines =
      query.asOf === undefined
        ? exportGraph(ctx, actor, query.format)
        : exportGraphAsOf(ctx, actor, query.format, query.asOf)
    return Readable.from(lines, { objectMode: false })
  },
}
