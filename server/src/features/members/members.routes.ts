import type { Handlers } from '../../doors/http/routes.ts'
import * as invitations from './invitations.service.ts'
import * as members from './members.service.ts'
import { transferOwnership } from './transfer-ownership.ts'

export const memberRoutes = {
  invitation: ({ ctx, params }) => invitations.describeInvitation(ctx, params.token),
  acceptInvitation: async ({ ctx, actor, params }) => ({
    account: await invitations.acceptAsCaller(ctx, actor, params.token),
  }),
  listMembers: ({ ctx, actor }) => members.listMembers(ctx, actor),
  inviteMember: ({ ctx, actor, body }) => invitations.inviteMember(ctx, actor, body),
  deleteInvitation: ({ ctx, actor, params }) => invitations.deleteInvitation(ctx, actor, params.id),
  updateMember: async ({ ctx, actor, params, body }) => ({
    member: await members.updateMember(ctx, actor, params.userId, body.role),
  }),
  transferOwnership: ({ ctx, actor, params, body }) => transferOwnership(ctx, actor, params.userId, body),
  deleteMember: ({ ctx, actor, params }) => members.removeMember(ctx, actor, params.userId),
} satisfies Partial<Handlers>
