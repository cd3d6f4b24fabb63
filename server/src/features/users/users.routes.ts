import type { FastifyRequest } from 'fastify'
import { withSignInLimit } from '../../auth/sign-in-limit.ts'
import type { Handlers } from '../../http/routes.ts'
import * as sessions from './sessions.service.ts'
import { requireOpenSignUp } from './sign-up.rules.ts'
import * as users from './users.service.ts'

type Operations =
  | 'register'
  | 'login'
  | 'logout'
  | 'me'
  | 'updateProfile'
  | 'deleteAccount'
  | 'rollPersonalKey'
  | 'changePassword'
  | 'listSessions'
  | 'deleteSession'
  | 'deleteSessions'

const userAgentOf = (request: FastifyRequest) => request.headers['user-agent'] ?? ''

export const userRoutes: Handlers<Operations> = {
  register: async ({ ctx, body, request }) => {
    requireOpenSignUp(ctx.config)
    return withSignInLimit(ctx.signInLimit, { address: request.ip, email: body.email }, () =>
      users.register(ctx, body, userAgentOf(request)),
    )
  },
  login: ({ ctx, body, request }) =>
    withSignInLimit(ctx.signInLimit, { address: request.ip, email: body.email }, () =>
      users.login(ctx, body, userAgentOf(request)),
    ),
  logout: ({ ctx, actor }) => sessions.logout(ctx, actor),
  me: ({ ctx, actor }) => users.getProfile(ctx, actor),
  updateProfile: ({ ctx, actor, body }) => users.updateProfile(ctx, actor, body),
  deleteAccount: ({ ctx, actor, body }) => users.deleteAccount(ctx, actor, body.password),
  rollPersonalKey: async ({ ctx, actor }) => ({ apiKey: await users.rollPersonalKey(ctx, actor) }),
  changePassword: ({ ctx, actor, body }) => users.changePassword(ctx, actor, body),
  listSessions: async ({ ctx, actor }) => ({ sessions: await sessions.listSessions(ctx, actor) }),
  deleteSession: ({ ctx, actor, params }) => sessions.endSession(ctx, actor, params.id),
  deleteSessions: ({ ctx, actor }) => sessions.endAllSessions(ctx, actor),
}
