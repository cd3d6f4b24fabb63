import { Readable } from 'node:stream'
import { exportFileNames, exportMediaTypes } from '@loci/contract/imports'
import type { Handlers } from '../../doors/http/routes.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { exportGraph } from './exports.service.ts'
import { recordExport } from './record-export.ts'

export const exportRoutes = {
  export: async ({ ctx, actor, query, reply }) => {
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
    return Readable.from(exportGraph(ctx, actor, format, { ids, asOf }), { objectMode: false })
  },
} satisfies Partial<Handlers>
