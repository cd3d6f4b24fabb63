import { Readable } from 'node:stream'
import type { Handlers } from '../../http/routes.ts'
import { exportGraph } from './exports.service.ts'

export const exportRoutes: Handlers<'export'> = {
  export: async ({ ctx, actor, query, reply }) => {
    const name = query.format === 'loci' ? 'loci.jsonl' : 'memory.jsonl'
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return Readable.from(exportGraph(ctx, actor, query.format), { objectMode: false })
  },
}
