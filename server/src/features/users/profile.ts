import type { User } from '@loci/contract/auth'
import type { Context } from '../../tenancy/context.ts'
import { defaultScopeOf, type Scope } from '../../tenancy/scope.ts'
import { listMemberships } from './memberships.ts'
import type { StoredUser } from './users.repo.ts'

/**
 * A user's own profile, in the space of `scope`. The personal key reaches all accounts of the user, so while one of them
 * requires a second factor that the user lacks, the password alone does not reveal it.
 */
export async function toProfile(ctx: Context, stored: StoredUser, scope?: Scope): Promise<User> {
  const {
    passwordHash,
    personalKeyEncrypted,
    accountNumber,
    accountIds,
    suspendedAt,
    secondFactorSince,
    ...user
  } = stored
  const lastSeq = await ctx.changes.currentSeq(scope ?? defaultScopeOf(accountNumber))
  const { accounts, requireSecondFactor } = await listMemberships(ctx.db, stored)
  const lacksFactor = requireSecondFactor && secondFactorSince === null
  return {
    ...user,
    secondFactor: secondFactorSince !== null,
    accounts,
    apiKeyWithheld: lacksFactor,
    apiKey: lacksFactor ? null : (ctx.secretBox.open(personalKeyEncrypted) ?? null),
    lastSeq,
  }
}
