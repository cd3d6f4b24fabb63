import type { User } from '@loci/contract/auth'
import type { Context } from '../../context.ts'
import { defaultScopeOf, type Scope } from '../../scope.ts'
import { listMemberships } from './memberships.ts'
import type { StoredUser } from './users.repo.ts'

/** A user's own profile, in the space of `scope`. */
export async function toProfile(
  ctx: Context,
  { passwordHash, personalKeyEncrypted, accountNumber, suspendedAt, secondFactorSince, ...user }: StoredUser,
  scope?: Scope,
): Promise<User> {
  const lastSeq = await ctx.changes.currentSeq(scope ?? defaultScopeOf(accountNumber))
  const accounts = await listMemberships(ctx.db, user.id)
  return {
    ...user,
    secondFactor: secondFactorSince !== null,
    accounts,
    apiKey: ctx.secretBox.open(personalKeyEncrypted) ?? null,
    lastSeq,
  }
}
