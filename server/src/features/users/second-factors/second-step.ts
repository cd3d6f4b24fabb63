import type { SessionResponse } from '@loci/contract/auth'
import type { FinishLogin, SecondFactorMethod, SecondStep } from '@loci/contract/second-factors'
import { AppError } from '../../../ground/errors/app-error.ts'
import { randomToken, sha256 } from '../../../ground/lib/secrets.ts'
import { minuteMs, toIso } from '../../../ground/lib/time.ts'
import type { Db } from '../../../store/db.ts'
import { transact } from '../../../store/transact.ts'
import {
  deleteCredentials,
  deleteCredentialsOf,
  findCredential,
  insertCredential,
} from '../../../tenancy/auth/credentials.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import { recordFailedSignIn, startSession, suspended, type Visitor } from '../start-session.ts'
import { findUser, type StoredUser } from '../users.repo.ts'
import { requireCode } from './check-code.ts'
import { listPasskeys } from './passkeys.repo.ts'
import { optionsOfProof } from './passkeys.rules.ts'
import type { RelyingParty } from './relying-party.ts'
import { wrongCode } from './require-proof.ts'
import { countRecoveryCodes, findTotp } from './second-factors.repo.ts'
import { usePasskey } from './use-passkey.ts'

const kind = 'second_step'
const lifeMs = 10 * minuteMs
const purposeOfStep = (userId: string) => `second step of ${userId}`

/** Records that the password was right; the token is valid only for {@link finishLogin}, in any process. */
export async function beginSecondStep(
  ctx: Context,
  { id: subject, accountNumber: accountId }: StoredUser,
): Promise<SecondStep> {
  const token = randomToken()
  const expiresAt = ctx.now() + lifeMs
  await transact(ctx, ({ db }) =>
    insertCredential(db, { hash: sha256(token), kind, accountId, subject, expiresAt }),
  )
  return { token, methods: await listMethods(ctx, subject), expiresAt: toIso(expiresAt) }
}

async function listMethods({ db }: Context, userId: string): Promise<SecondFactorMethod[]> {
  const has: Record<SecondFactorMethod, boolean> = {
    totp: (await findTotp(db, userId)) !== undefined,
    passkey: (await listPasskeys(db, userId)).length > 0,
    recovery_code: (await countRecoveryCodes(db, userId)) > 0,
  }
  return (Object.keys(has) as SecondFactorMethod[]).filter((method) => has[method])
}

/** The sign-in error for a right password that needs a second factor. */
export const secondFactorRequired = (step: SecondStep) =>
  new AppError('second_factor_required', 'The password is correct. A second factor is required.', {
    details: [step],
  })

const expired = () => new AppError('second_step_expired', 'This took too long. Sign in again.')

async function requireStep(ctx: Context, token: string): Promise<StoredUser> {
  const found = await findCredential(ctx.db, sha256(token))
  if (found?.kind !== kind || (found.expiresAt ?? 0) <= ctx.now()) throw expired()
  const user = await findUser(ctx.db, found.accountId, found.subject)
  if (user === undefined) throw expired()
  if (user.suspendedAt !== null) throw suspended()
  return user
}

/** Options for a browser to finish a sign-in with a passkey. Throws `second_step_expired`. */
export async function stepOptions(ctx: Context, token: string, party: RelyingParty) {
  const { id } = await requireStep(ctx, token)
  const own = await listPasskeys(ctx.db, id)
  return { options: await optionsOfProof(ctx, { party, purpose: purposeOfStep(id) }, own) }
}

/**
 * Completes a sign-in after the password, with a code or a passkey. Throws `invalid_credentials`,
 * `second_step_expired`, `rate_limited`.
 */
export async function finishLogin(
  ctx: Context,
  { token, code, passkey, deviceTokens }: FinishLogin,
  { visitor, party }: { visitor: Visitor; party: () => RelyingParty },
): Promise<SessionResponse> {
  const user = await requireStep(ctx, token)
  const { id: userId } = user
  try {
    if (passkey !== undefined)
      await usePasskey(ctx, { party: party(), purpose: purposeOfStep(userId), userId }, passkey)
    else await requireCode(ctx, userId, code!, () => new AppError('invalid_credentials', wrongCode))
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_credentials')
      recordFailedSignIn(ctx, user, visitor, 'wrong second factor')
    throw error
  }
  return startSession(ctx, user, visitor, {
    by: passkey === undefined ? 'code' : 'passkey',
    deviceTokens,
    also: async ({ db }) => {
      // Of two concurrent attempts, one succeeds.
      if ((await deleteCredentials(db, [sha256(token)])) === 0) throw expired()
    },
  })
}

/** Cancels a user's pending sign-ins after a password change. Must be called in a transaction. */
export async function endSecondSteps(db: Db, accountIds: readonly number[], userId: string): Promise<void> {
  for (const accountId of accountIds) await deleteCredentialsOf(db, { kind, accountId, subject: userId })
}
