import type { NewRecoveryCodes, SecondFactorRule, SecondFactors } from '@loci/contract/second-factors'
import { publicAddress } from '../../../ground/config/config.ts'
import { AppError } from '../../../ground/errors/app-error.ts'
import { toIso } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import { listAccountsOfUser } from '../../../tenancy/auth/accounts-of-user.repo.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../../tenancy/auth/announce-revocation.ts'
import type { Context } from '../../../tenancy/context.ts'
import { operatorOf, recordAudit } from '../../audit/record-audit.ts'
import { setSecondFactorRequired } from '../accounts.repo.ts'
import { homeActor } from '../home-actor.ts'
import * as sessions from '../sessions.repo.ts'
import { requireUserByEmail } from '../users.service.ts'
import { mailTo, makeRecoveryCodes, removeFactors } from './change-factors.ts'
import { listPasskeys } from './passkeys.repo.ts'
import { toPasskey } from './passkeys.rules.ts'
import { factorsReset, recoveryCodesRolled } from './second-factor-mails.ts'
import { countRecoveryCodes, findSecondFactorSince, findTotp, lockPerson } from './second-factors.repo.ts'

export async function getSecondFactors({ db }: Context, { userId }: Actor): Promise<SecondFactors> {
  const totp = await findTotp(db, userId)
  return {
    totp: totp === undefined ? null : { since: toIso(totp.since) },
    passkeys: (await listPasskeys(db, userId)).map(toPasskey),
    recoveryCodes: await countRecoveryCodes(db, userId),
  }
}

/** Replaces the recovery codes with new ones. Throws `second_factor_missing`. */
export async function rollRecoveryCodes(ctx: Context, actor: Actor): Promise<NewRecoveryCodes> {
  const { userId } = actor
  return transact(ctx, async (inner) => {
    await lockPerson(inner.db, userId)
    await requireOwnFactor(inner, userId, 'Recovery codes come with a second factor. Set one up first.')
    await mailTo(inner, userId, recoveryCodesRolled(publicAddress(inner.config)))
    await recordAudit(inner, homeActor(actor), { action: 'recovery_codes_rolled' })
    return { recoveryCodes: await makeRecoveryCodes(inner, userId) }
  })
}

async function requireOwnFactor({ db }: Context, userId: string, message: string): Promise<void> {
  if ((await findSecondFactorSince(db, userId)) === null) throw new AppError('second_factor_missing', message)
}

/**
 * Sets whether every member of the account needs a second factor. Members without one can then only set one up. Throws
 * `second_factor_missing` if the caller has none.
 */
export async function setSecondFactorRule(
  ctx: Context,
  actor: Actor,
  { required }: SecondFactorRule,
): Promise<SecondFactorRule> {
  const { accountId, userId } = actor
  return transact(ctx, async (inner) => {
    if (required) await requireOwnFactor(inner, userId, 'Set up a second factor of your own first.')
    // Closes the sockets of members without one.
    await announceRevocation(inner, accountId)
    await setSecondFactorRequired(inner.db, accountId, required)
    await recordAudit(inner, actor, { action: 'second_factor_rule_changed', details: { required } })
    return { required }
  })
}

/**
 * For the command line: removes the second factors of a user who lost them, and ends their sessions. Throws
 * `user_not_found`.
 */
export async function resetSecondFactors(ctx: Context, email: string): Promise<void> {
  await transact(ctx, async (inner) => {
    const { db } = inner
    const { id: userId, accountNumber } = await requireUserByEmail(db, email)
    const accountIds = await listAccountsOfUser(db, userId)
    for (const accountId of accountIds) await announceRevocation(inner, accountId)
    await removeFactors(inner, userId)
    for (const accountId of accountIds) await sessions.deleteSessions(db, { accountId, userId })
    const subject = { kind: 'person' as const, id: userId }
    await recordAudit(inner, operatorOf(accountNumber), { action: 'second_factor_reset', subject })
    await mailTo(inner, userId, factorsReset(publicAddress(inner.config)))
  })
}
