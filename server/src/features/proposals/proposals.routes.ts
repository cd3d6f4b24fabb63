import type { Handlers } from '../../doors/http/routes.ts'
import { createAcceptRule, deleteAcceptRule, listAcceptRules } from './accept-rules.service.ts'
import { acceptProposal, decideProposals, listProposals, rejectProposal } from './proposals.service.ts'

export const proposalRoutes = {
  listProposals: ({ ctx, actor, query }) => listProposals(ctx, actor, query),
  acceptProposal: ({ ctx, actor, params, body }) => acceptProposal(ctx, actor, params.id, body),
  rejectProposal: async ({ ctx, actor, params, body }) => ({
    proposal: await rejectProposal(ctx, actor, params.id, body),
  }),
  decideProposals: ({ ctx, actor, body }) => decideProposals(ctx, actor, body),
  listAcceptRules: async ({ ctx, actor }) => ({ rules: await listAcceptRules(ctx, actor) }),
  createAcceptRule: async ({ ctx, actor, body }) => ({ rule: await createAcceptRule(ctx, actor, body) }),
  deleteAcceptRule: ({ ctx, actor, params }) => deleteAcceptRule(ctx, actor, params.id),
} satisfies Partial<Handlers>
