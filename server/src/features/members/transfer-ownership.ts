import type { Member, OwnershipTransferred, TransferOwnership } from '@loci/contract/members'
import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import { notPermitted } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { tellGatewayOfOwner } from '../billing/billing.service.ts'
import type { MailContent } from '../mails/mail-content.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { nameAccounts } from '../users/memberships.ts'
import { requirePassword } from '../users/require-password.ts'
import * as members from './members.repo.ts'
import { requireMember, toAuditSubject } from './members.service.ts'

/**
 * Makes a member the owner and the caller an admin, atomically: of two concurrent calls, the second is refused. Throws
 * `validation_failed` for a wrong password, `member_not_found`, `not_permitted`.
 */
export async function transferOwnership(
  ctx: Context,
  actor: Actor,
  userId: string,
  { password }: TransferOwnership,
): Promise<OwnershipTransferred> {
  await requirePassword(ctx, actor, password)
  const member = await transact(ctx, (inner) => handOver(inner, actor, userId))
  return { member, billingFollows: await tellGatewayOfOwner(ctx, actor.accountId) }
}

async function handOver(inner: Context, actor: Actor, userId: string): Promise<Member> {
  const { db } = inner
  const { accountId } = actor
  // Locks the account, so that the check for ownership below is reliable.
  await announceRevocation(inner, accountId)
  const owner = await requireMember(inner, accountId, actor.userId)
  if (owner.role !== 'owner') throw notPermitted('account:manage')
  const heir = await requireMember(inner, accountId, userId)
  if (heir.userId === owner.userId) throw new AppError('validation_failed', 'You are already the owner')
  if (await members.isSuspended(db, accountId, userId))
    throw new AppError('validation_failed', 'This person is suspended and cannot sign in')
  await members.setRole(db, accountId, heir.userId, 'owner')
  await members.setRole(db, accountId, owner.userId, 'admin')
  await recordAudit(inner, actor, {
    action: 'ownership_transferred',
    subject: toAuditSubject(heir),
    details: { from: owner.email, to: heir.email },
  })
  await mailHandover(inner, accountId, { owner, heir })
  return { ...heir, role: 'owner' }
}

type Handover = { owner: Member; heir: Member }

/** Mails both that the account has a new owner, if mail is set up. Runs in the caller's transaction. */
async function mailHandover(ctx: Context, accountId: number, people: Handover): Promise<void> {
  const account = (await nameAccounts(ctx.db, [accountId])).get(accountId) ?? 'Loci'
  for (const { email: to } of [people.owner, people.heir]) {
    const content = handover(account, people, publicAddress(ctx.config))
    await queueMail(ctx, { accountId, id: ctx.newId('mail'), to, content })
  }
}

const nameOf = ({ firstName, lastName, email }: Member) => `${firstName} ${lastName} (${email})`

function handover(account: string, { owner, heir }: Handover, address: string): MailContent {
  return {
    subject: `${heir.firstName} ${heir.lastName} now owns a Loci account`,
    paragraphs: [
      `${nameOf(owner)} made ${nameOf(heir)} the owner of the account ${account}.`,
      'The new owner manages people and plan, and can delete the account. The previous owner is now an admin.',
    ],
    action: { label: 'Open the account', url: `${address}/settings` },
    footnote: 'You get this mail because it concerns the security of your account.',
  }
}
