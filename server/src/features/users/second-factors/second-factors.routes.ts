import type { Handlers } from '../../../doors/http/routes.ts'
import type { Context } from '../../../tenancy/context.ts'
import { visitorOf } from '../visitor-of.ts'
import { loginOptions, loginWithPasskey } from './passkey-login.ts'
import * as passkeys from './passkeys.service.ts'
import { relyingPartyOf } from './relying-party.ts'
import { requireProof } from './require-proof.ts'
import * as factors from './second-factors.service.ts'
import { finishLogin, stepOptions } from './second-step.ts'
import * as totp from './totp.service.ts'

type Asking = { ctx: Context; request: Parameters<typeof relyingPartyOf>[1] }
const partyOf = ({ ctx, request }: Asking) => relyingPartyOf(ctx.config, request)

export const secondFactorRoutes = {
  finishLogin: ({ ctx, body, request }) =>
    finishLogin(ctx, body, {
      visitor: visitorOf(request),
      party: () => partyOf({ ctx, request }),
    }),
  passkeyLoginOptions: (call) => {
    const { ctx, body } = call
    return body.token === undefined
      ? loginOptions(ctx, partyOf(call))
      : stepOptions(ctx, body.token, partyOf(call))
  },
  loginWithPasskey: (call) =>
    loginWithPasskey(call.ctx, call.body, { visitor: visitorOf(call.request), party: partyOf(call) }),
  secondFactors: ({ ctx, actor }) => factors.getSecondFactors(ctx, actor),
  beginTotp: async (call) => {
    await requireProof(call.ctx, call.actor, call.body, () => partyOf(call))
    return totp.beginTotp(call.ctx, call.actor)
  },
  confirmTotp: ({ ctx, actor, body }) => totp.confirmTotp(ctx, actor, body),
  deleteTotp: async (call) => {
    await requireProof(call.ctx, call.actor, call.body, () => partyOf(call))
    await totp.deleteTotp(call.ctx, call.actor)
  },
  rollRecoveryCodes: async (call) => {
    await requireProof(call.ctx, call.actor, call.body, () => partyOf(call))
    return factors.rollRecoveryCodes(call.ctx, call.actor)
  },
  proofOptions: (call) => passkeys.proofOptions(call.ctx, call.actor, partyOf(call)),
  beginPasskey: async (call) => {
    await requireProof(call.ctx, call.actor, call.body, () => partyOf(call))
    return passkeys.beginPasskey(call.ctx, call.actor, partyOf(call))
  },
  addPasskey: (call) => passkeys.addPasskey(call.ctx, call.actor, call.body, partyOf(call)),
  renamePasskey: async ({ ctx, actor, params, body }) => ({
    passkey: await passkeys.renamePasskey(ctx, actor, params.id, body.name),
  }),
  deletePasskey: async (call) => {
    // Checked first, so that no code is wasted.
    await passkeys.requirePasskey(call.ctx, call.actor, call.params.id)
    await requireProof(call.ctx, call.actor, call.body, () => partyOf(call))
    await passkeys.deletePasskey(call.ctx, call.actor, call.params.id)
  },
  setSecondFactorRule: ({ ctx, actor, body }) => factors.setSecondFactorRule(ctx, actor, body),
} satisfies Partial<Handlers>
