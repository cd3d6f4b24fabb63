import type { Proof } from '@loci/contract/second-factors'
import { AppError, invalidField } from '../../../ground/errors/app-error.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import { requirePassword } from '../require-password.ts'
import { requireCode } from './check-code.ts'
import type { RelyingParty } from './relying-party.ts'
import { findSecondFactorSince } from './second-factors.repo.ts'
import { usePasskey } from './use-passkey.ts'

export const purposeOfProof = (userId: string) => `proof of ${userId}`

/**
 * Requires a signed-in user to authenticate again: with a passkey, or with the password and, if a second factor is set
 * up, a code. Throws `validation_failed` that names the field, `rate_limited`.
 */
export async function requireProof(
  ctx: Context,
  actor: Actor,
  { password, code, passkey }: Proof,
  party: () => RelyingParty,
): Promise<void> {
  if (passkey !== undefined) return requirePasskey(ctx, actor, passkey, party())
  if (password === undefined) throw invalidField('password', 'Enter your password')
  await requirePassword(ctx, actor, password, 'password')
  if ((await findSecondFactorSince(ctx.db, actor.userId)) === null) return
  if (code === undefined)
    throw invalidField('code', 'Enter a code of your authenticator app, or a recovery code')
  await requireCode(ctx, actor.userId, code, () => invalidField('code', wrongCode))
}

export const wrongCode = 'This code is wrong or was already used'

async function requirePasskey(
  ctx: Context,
  { userId }: Actor,
  passkey: NonNullable<Proof['passkey']>,
  party: RelyingParty,
): Promise<void> {
  try {
    await usePasskey(ctx, { party, purpose: purposeOfProof(userId), userId }, passkey)
  } catch (error) {
    // 401 would mean that the session has ended.
    if (!(error instanceof AppError) || error.code !== 'invalid_credentials') throw error
    throw invalidField('passkey', error.message)
  }
}
