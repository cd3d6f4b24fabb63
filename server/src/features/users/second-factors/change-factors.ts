import type { NewRecoveryCodes } from '@loci/contract/second-factors'
import type { Actor } from '../../../auth/actor.ts'
import { announceRevocation } from '../../../auth/announce-revocation.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import type { MailContent } from '../../../mails/mail-content.ts'
import { queueMail } from '../../../mails/queue-mail.ts'
import { type NewAuditEvent, recordAudit } from '../../audit/record-audit.ts'
import { homeActor } from '../home-actor.ts'
import * as sessions from '../sessions.repo.ts'
import { listAccountsOfUser } from '../users.repo.ts'
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
 * Changes what a person signs in with, tells the audit log, and mails that they hear of it. With the first second factor come recovery
 * codes, which are answered, and every other session ends, since it was begun with less; with the last one the codes go.
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
    // Locks the accounts before the person, as a change of the password does.
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

/** New codes in place of those before. To be called in a transaction. */
export async function makeRecoveryCodes({ db }: Context, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await setRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashOfRecoveryCode(userId, code)),
  )
  return codes
}

/** Removes all second factors. To be called in a transaction that holds the accounts. */
export async function removeFactors({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  await lockPerson(db, userId)
  await setTotp(db, userId, null)
  await deletePasskeys(db, userId)
  await setRecoveryCodes(db, userId, [])
  await setSecondFactorSince(db, userId, null)
}

/** Mails to a person, where mail is set up, what they should hear of if it was not them. */
export async function mailTo(ctx: Context, userId: string, content: MailContent): Promise<void> {
  const person = await findPerson(ctx, userId)
  if (person === undefined) return
  const { accountNumber: accountId, email: to } = person
  await queueMail(ctx, { accountId, id: ctx.newId('mail'), to, content })
}
