import type { Member, OwnershipTransferred, TransferOwnership } from '@loci/contract/members'
import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import { notPermitted } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { tellGatewayOfOwner } from '../billing/billing.service.ts'
import { requirePassword } from '../users/require-password.ts'
import * as members from './members.repo.ts'
import { requireMember, toAuditSubject } from './members.service.ts'
import { mailHandover } from './ownership-mails.ts'

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
