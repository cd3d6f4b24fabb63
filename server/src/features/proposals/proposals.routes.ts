import type { Handlers } from '../../doors/http/routes.ts'
import { acceptProposal, decideProposals, listProposals, rejectProposal } from './proposals.service.ts'

export const proposalRoutes: Handlers<
  'listProposals' | 'acceptProposal' | 'rejectProposal' | 'decideProposals'
> = {
  listProposals: ({ ctx, actor, query }) => listProposals(ctx, actor, query),
  acceptProposal: ({ ctx, actor, params, body }) => acceptProposal(ctx, actor, params.id, body),
  rejectProposal: async ({ ctx, actor, params, body }) => ({
    proposal: await rejectProposal(ctx, actor, params.id, body),
  }),
  decideProposals: ({ ctx, actor, body }) => decideProposals(ctx, actor, body),
}
