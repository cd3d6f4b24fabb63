import type { Handlers } from '../../doors/http/routes.ts'
import { getBrief, markBrief, readBrief } from './briefs.service.ts'

export const briefRoutes: Handlers<'getBrief' | 'markBrief' | 'readBrief'> = {
  getBrief: async ({ ctx, actor }) => ({ brief: await getBrief(ctx, actor) }),
  markBrief: ({ ctx, actor, body }) => markBrief(ctx, actor, body.seq),
  readBrief: ({ ctx, actor, body }) => readBrief(ctx, actor, body.seqs),
}
