import type { Member, MembersResponse } from '@loci/contract/members'
import type { Role } from '@loci/contract/rights'
import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { announceRevocation } from '../../tenancy/auth/announce-revocation.ts'
import { hasRight, requireAllowed } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { leaveAccount } from '../users/leave-account.ts'
import { listPending } from './invitations.service.ts'
import * as members from './members.repo.ts'
import { requireMayGrant } from './members.rules.ts'

/** The members of the account. Callers who manage members also see pending invitations and who has a second factor. */
export async function listMembers(ctx: Context, actor: Actor): Promise<MembersResponse> {
  const listed = await members.listMemberRows(ctx.db, actor.accountId)
  if (!hasRight(actor, 'members:manage')) return { members: listed, invitations: [] }
  const ids = listed.map(({ userId }) => userId)
  const secured = await members.listWithSecondFactor(ctx.db, ids)
  return {
    members: listed.map((member) => ({ ...member, secondFactor: secured.has(member.userId) })),
    invitations: await listPending(ctx, actor.accountId),
  }
}

/** Throws `member_not_found`, `last_owner`, and `not_permitted` if an admin grants or removes the owner role. */
export async function updateMember(ctx: Context, actor: Actor, userId: string, role: Role): Promise<Member> {
  const { accountId } = actor
  return transact(ctx, async (inner) => {
    const { db } = inner
    // Locks the account: if two owners step down concurrently, one remains.
    await announceRevocation(inner, accountId)
    const member = await requireMember(inner, accountId, userId)
    requireMayGrant(actor, member.role, role)
    if (role !== 'owner') await requireOtherOwner(inner, accountId, member)
    await members.setRole(db, accountId, userId, role)
    await recordAudit(inner, actor, {
      action: 'member_role_changed',
      subject: toAuditSubject(member),
      details: { from: member.role, to: role },
    })
    return { ...member, role }
  })
}

/**
 * Ends a membership and deletes the keys that the member created in the account. Their data is kept. Leaving needs no
 * right and no second factor. Throws `member_not_found`, `last_owner`, `not_permitted`, `second_factor_missing`.
 */
export async function removeMember(ctx: Context, actor: Actor, userId: string): Promise<void> {
  const { accountId } = actor
  const isLeaving = userId === actor.userId
  if (!isLeaving) requireAllowed(actor, 'members:manage')
  await transact(ctx, async (inner) => {
    await announceRevocation(inner, accountId)
    const member = await requireMember(inner, accountId, userId)
    if (!isLeaving) requireMayGrant(actor, member.role)
    await requireOtherOwner(inner, accountId, member)
    await leaveAccount(inner, accountId, userId)
    const action = isLeaving ? 'member_left' : 'member_removed'
    await recordAudit(inner, actor, {
      action,
      subject: toAuditSubject(member),
      details: { role: member.role },
    })
  })
}

export const toAuditSubject = ({ userId: id, email: name }: Member) => ({ kind: 'person' as const, id, name })

/** Throws `member_not_found`. */
export async function requireMember({ db }: Context, accountId: number, userId: string): Promise<Member> {
  const member = await members.findMember(db, accountId, userId)
  if (member === undefined) throw new AppError('member_not_found', 'Member not found')
  return member
}

/** Without an owner, an account could never be paid for or deleted. */
async function requireOtherOwner(
  { db }: Context,
  accountId: number,
  { userId, role }: Member,
): Promise<void> {
  if (role !== 'owner' || (await members.hasOtherOwner(db, accountId, userId))) return
  throw new AppError('last_owner', 'An account must have an owner. Make somebody else an owner first.')
}
