import { exportFileNames, exportMediaTypes } from '@loci/contract/imports'
import type { Handlers } from '../../doors/http/routes.ts'
import { streamWhileValid } from '../../doors/http/while-valid.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { exportGraph } from './exports.service.ts'
import { recordExport } from './record-export.ts'

export const exportRoutes = {
  export: async (call) => {
    const { ctx, actor, query, reply } = call
    const { format, asOf, ids } = query
    if (ids !== undefined && asOf !== undefined) {
      throw new AppError(
        'validation_failed',
        'Past entities cannot be selected by id. Leave out ids or asOf.',
      )
    }
    await recordExport(ctx, actor, query)
    reply.type(exportMediaTypes[format])
    reply.header('content-disposition', `attachment; filename="${exportFileNames[format]}"`)
    return streamWhileValid(call, 'memory:read', exportGraph(ctx, actor, format, { ids, asOf }))
  },
} satisfies Partial<Handlers>
