import type { NewRecoveryCodes } from '@loci/contract/second-factors'
import { transact } from '../../../store/transact.ts'
import { listAccountsOfUser } from '../../../tenancy/auth/accounts-of-user.repo.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../../tenancy/auth/announce-revocation.ts'
import type { Context } from '../../../tenancy/context.ts'
import { type NewAuditEvent, recordAudit } from '../../audit/record-audit.ts'
import type { MailContent } from '../../mails/mail-content.ts'
import { queueMail } from '../../mails/queue-mail.ts'
import { homeActor } from '../home-actor.ts'
import * as sessions from '../sessions.repo.ts'
import { deletePasskeys, listPasskeys } from './passkeys.repo.ts'
import { findPerson } from './person.ts'
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.rules.ts'
import {
  findSecondFactorSince,
  findTotp,
  lockPerson,
  setRecoveryCodes,
  setSecondFactorSince,
  setTotp,
} from './second-factors.repo.ts'

/**
 * Changes a user's second factors, records it in the audit log and notifies the user by mail. Adding the first factor
 * returns recovery codes and ends all other sessions, since they started without one. Removing the last factor deletes
 * the codes.
 */
export function changeFactors(
  ctx: Context,
  actor: Actor,
  { notice, event }: { notice: MailContent; event: NewAuditEvent },
  change: (inner: Context) => Promise<void>,
): Promise<NewRecoveryCodes> {
  const { userId, sessionId } = actor
  return transact(ctx, async (inner) => {
    const { db, now } = inner
    const accountIds = await listAccountsOfUser(db, userId)
    // Locks the accounts before the user, in the same order as a password change.
    for (const accountId of accountIds) await announceRevocation(inner, accountId)
    await lockPerson(db, userId)
    await change(inner)
    await mailTo(inner, userId, notice)
    await recordAudit(inner, homeActor(actor), event)
    const had = (await findSecondFactorSince(db, userId)) !== null
    const has = await hasFactor(inner, userId)
    if (had === has) return { recoveryCodes: null }
    await setSecondFactorSince(db, userId, has ? now() : null)
    if (!has) {
      await setRecoveryCodes(db, userId, [])
      return { recoveryCodes: null }
    }
    for (const accountId of accountIds) await sessions.deleteSessions(db, { accountId, userId }, sessionId)
    return { recoveryCodes: await makeRecoveryCodes(inner, userId) }
  })
}

async function hasFactor({ db }: Context, userId: string): Promise<boolean> {
  return (await findTotp(db, userId)) !== undefined || (await listPasskeys(db, userId)).length > 0
}

/** Replaces the codes with new ones. Must be called in a transaction. */
export async function makeRecoveryCodes({ db }: Context, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await setRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashOfRecoveryCode(userId, code)),
  )
  return codes
}

/** Removes all second factors. Must be called in a transaction that has locked the accounts. */
export async function removeFactors({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  await lockPerson(db, userId)
  await setTotp(db, userId, null)
  await deletePasskeys(db, userId)
  await setRecoveryCodes(db, userId, [])
  await setSecondFactorSince(db, userId, null)
}

/** Mails a security notice to a user, if mail is set up. */
export async function mailTo(ctx: Context, userId: string, content: MailContent): Promise<void> {
  const person = await findPerson(ctx, userId)
  if (person === undefined) return
  const { accountNumber: accountId, email: to } = person
  await queueMail(ctx, { accountId, id: ctx.newId('mail'), to, content })
}
