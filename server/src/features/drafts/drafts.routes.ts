import type { Handlers } from '../../doors/http/routes.ts'
import { listDrafts } from '../conversations/drafts/list-drafts.ts'
import { dropDraft, keepDraft } from './drafts.service.ts'

export const draftRoutes = {
  listDrafts: ({ ctx, actor, query }) => listDrafts(ctx, actor, query),
  keepDraft: ({ ctx, actor, params, body }) => keepDraft(ctx, actor, params.id, body),
  dropDraft: ({ ctx, actor, params }) => dropDraft(ctx, actor, params.id),
} satisfies Partial<Handlers>
