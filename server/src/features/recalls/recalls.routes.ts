import type { Handlers } from '../../doors/http/routes.ts'
import { askAgain } from './ask-again.ts'
import { deleteRecall, getRecall, listRecalls, listUnanswered } from './recalls.service.ts'

export const recallRoutes = {
  listRecalls: ({ ctx, actor, query }) => listRecalls(ctx, actor, query),
  listUnanswered: async ({ ctx, actor }) => ({ questions: await listUnanswered(ctx, actor) }),
  askAgain: ({ ctx, actor, body }) => askAgain(ctx, actor, body),
  getRecall: ({ ctx, actor, params }) => getRecall(ctx, actor, params.id),
  deleteRecall: ({ ctx, actor, params, query }) =>
    deleteRecall(ctx, actor, params.id, query.alike === 'true'),
} satisfies Partial<Handlers>
