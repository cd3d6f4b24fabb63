import type { Handlers } from '../../doors/http/routes.ts'
import { dismissDuplicate, listDuplicates, undismissDuplicate } from './duplicates.service.ts'

export const duplicateRoutes = {
  listDuplicates: ({ ctx, actor, query }) => listDuplicates(ctx, actor, query),
  dismissDuplicate: ({ ctx, actor, body }) => dismissDuplicate(ctx, actor, body.ids),
  undismissDuplicate: ({ ctx, actor, body }) => undismissDuplicate(ctx, actor, body.ids),
} satisfies Partial<Handlers>
