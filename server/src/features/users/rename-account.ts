import type { Membership, RenameAccount } from '@loci/contract/auth'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { setAccountName } from './accounts.repo.ts'
import { requireMembership } from './memberships.ts'

/** Sets the account's name. */
export async function renameAccount(
  ctx: Context,
  actor: Actor,
  { name }: RenameAccount,
): Promise<Membership> {
  const { accountId, userId } = actor
  return transact(ctx, async (inner) => {
    const { db } = inner
    await lockAccount(db, accountId)
    const before = await requireMembership(db, accountId, userId)
    await setAccountName(db, accountId, name)
    const after = await requireMembership(db, accountId, userId)
    if (after.name === before.name) return after
    await recordAudit(inner, actor, {
      action: 'account_renamed',
      subject: { kind: 'account', id: after.id, name },
      details: { from: before.name, to: name },
    })
    return after
  })
}
