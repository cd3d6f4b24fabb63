import type { Handlers } from '../../doors/http/routes.ts'
import { getBriefMail, setBriefMail } from './brief-mails.service.ts'
import { getBrief, markBrief, readBrief } from './briefs.service.ts'

export const briefRoutes = {
  getBrief: async ({ ctx, actor }) => ({ brief: await getBrief(ctx, actor) }),
  markBrief: ({ ctx, actor, body }) => markBrief(ctx, actor, body.seq),
  getBriefMail: async ({ ctx, actor }) => ({ mail: await getBriefMail(ctx, actor) }),
  setBriefMail: async ({ ctx, actor, body }) => ({ mail: await setBriefMail(ctx, actor, body) }),
  readBrief: ({ ctx, actor, body }) => readBrief(ctx, actor, body.seqs),
} satisfies Partial<Handlers>
