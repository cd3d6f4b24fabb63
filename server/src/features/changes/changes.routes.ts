import type { Handlers } from '../../doors/http/routes.ts'
import {
  eraseEntity,
  mergeEntity,
  restoreEntity,
  undoChangeSet,
  updateObservation,
} from './changes.service.ts'
import { countChanges } from './count-changes.ts'
import { listChanges } from './list-changes.ts'

export const changeRoutes = {
  listChanges: ({ ctx, actor, query }) => listChanges(ctx, actor, query),
  countChanges: ({ ctx, actor, query }) => countChanges(ctx, actor, query),
  undoChangeSet: ({ ctx, actor, params }) => undoChangeSet(ctx, actor, params.setId),
  restoreEntity: async ({ ctx, actor, params, reply }) => {
    const { entity, version } = await restoreEntity(ctx, actor, params.id)
    reply.header('etag', `"${version}"`)
    return { entity }
  },
  mergeEntity: ({ ctx, actor, params, body }) => mergeEntity(ctx, actor, params.id, body.into),
  eraseEntity: ({ ctx, actor, params }) => eraseEntity(ctx, actor, params.id),
  updateObservation: async ({ ctx, actor, params, body }) => ({
    observation: await updateObservation(ctx, actor, params, body),
  }),
} satisfies Partial<Handlers>
