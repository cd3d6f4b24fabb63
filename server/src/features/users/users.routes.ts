import type { Handlers } from '../../doors/http/routes.ts'
import { countSignUp, withSignInLimit } from '../../tenancy/auth/sign-in-limits.ts'
import { acceptInvitation, requireInvitationFor } from '../members/invitations.service.ts'
import { isMemoryWaiting } from './claim-link.ts'
import { claimMemory } from './claims.service.ts'
import { getPlace, setPlace, startInAccount } from './last-place.service.ts'
import { confirmPasswordReset, requestPasswordReset } from './password-reset.ts'
import { renameAccount } from './rename-account.ts'
import { secondFactorRequired } from './second-factors/second-step.ts'
import * as sessions from './sessions.service.ts'
import { requireMaySignUp } from './sign-up.rules.ts'
import * as users from './users.service.ts'
import { sendVerificationAgain, verifyEmail } from './verification.ts'
import { visitorOf } from './visitor-of.ts'

export const userRoutes = {
  register: async ({ ctx, body, request }) => {
    requireMaySignUp(ctx.config, body)
    const visitor = visitorOf(request)
    await countSignUp(ctx, visitor.address)
    const { invitation } = body
    if (invitation === undefined) return users.register(ctx, body, visitor)
    // Checked before the password is hashed, so that invalid invitations cost nothing.
    await requireInvitationFor(ctx, body.email, invitation)
    return users.register(ctx, body, visitor, async (inner, userId) => {
      const guest = { userId, email: body.email, address: visitor.address }
      const { id } = await acceptInvitation(inner, guest, invitation)
      if (body.claim === undefined) await startInAccount(inner, userId, id)
    })
  },
  login: async ({ ctx, body, request }) => {
    const visitor = visitorOf(request)
    const result = await withSignInLimit(ctx, { ...body, ...visitor }, () => users.login(ctx, body, visitor))
    // The password was right, so this must not count as a failure.
    if ('methods' in result) throw secondFactorRequired(result)
    return result
  },
  requestPasswordReset: ({ ctx, body, request }) =>
    requestPasswordReset(ctx, body.email, visitorOf(request).address),
  confirmPasswordReset: ({ ctx, body, request }) =>
    confirmPasswordReset(ctx, body, visitorOf(request).address),
  verifyEmail: ({ ctx, body }) => verifyEmail(ctx, body.token),
  sendVerification: ({ ctx, actor }) => sendVerificationAgain(ctx, actor),
  unclaimedMemory: async ({ ctx }) => ({ waiting: await isMemoryWaiting(ctx) }),
  claimMemory: ({ ctx, actor, body }) => claimMemory(ctx, actor, body.claim),
  logout: ({ ctx, actor }) => sessions.logout(ctx, actor),
  me: ({ ctx, actor }) => users.getProfile(ctx, actor),
  updateProfile: ({ ctx, actor, body }) => users.updateProfile(ctx, actor, body),
  deleteAccount: ({ ctx, actor, body }) => users.deleteAccount(ctx, actor, body.password),
  rollPersonalKey: async ({ ctx, actor }) => ({ apiKey: await users.rollPersonalKey(ctx, actor) }),
  changePassword: ({ ctx, actor, body }) => users.changePassword(ctx, actor, body),
  renameAccount: async ({ ctx, actor, body }) => ({ account: await renameAccount(ctx, actor, body) }),
  getPlace: ({ ctx, actor }) => getPlace(ctx, actor),
  setPlace: ({ ctx, actor, body }) => setPlace(ctx, actor, body),
  listSessions: async ({ ctx, actor }) => ({ sessions: await sessions.listSessions(ctx, actor) }),
  deleteSession: ({ ctx, actor, params }) => sessions.endSession(ctx, actor, params.id),
  deleteSessions: ({ ctx, actor, query }) => sessions.endSessions(ctx, actor, query),
} satisfies Partial<Handlers>
