import { AppError } from '../../ground/errors/app-error.ts'
import type { Context } from '../context.ts'
import type { Caller } from './actor.ts'
import { findAccountOfUser, findCallerMember } from './callers.repo.ts'

const notFound = () => new AppError('account_not_found', 'Account not found')

/** The caller in the account with this id. Throws `account_not_found`. */
export async function enterNamedAccount(ctx: Context, caller: Caller, id: string): Promise<Caller> {
  const accountId = await findAccountOfUser(ctx.db, caller.userId, id)
  if (accountId === undefined) throw notFound()
  return enterAccount(ctx, caller, accountId)
}

/**
 * The caller in another of their accounts. Only people can choose one: keys and tokens belong to one account. Throws
 * `account_not_found`.
 */
export async function enterAccount({ db }: Context, caller: Caller, accountId: number): Promise<Caller> {
  if (accountId === caller.accountId) return caller
  const mayChoose = caller.kind === 'session' || caller.kind === 'personal_key'
  const member = mayChoose ? await findCallerMember(db, accountId, caller.userId) : undefined
  if (member === undefined) throw notFound()
  const { homeSpaceId: _, lacksSecondFactor: __, hasReviewed: ___, ...rest } = caller
  return {
    ...rest,
    accountId,
    role: member.role,
    homeAccountId: caller.accountId,
    ...(caller.kind === 'session' && member.lacksSecondFactor ? { lacksSecondFactor: true } : {}),
    ...spacesOf(member),
  }
}

/** The space that a member's calls work on by default, and how many there are. */
export function spacesOf({
  home,
  spaceCount,
  reviewed,
}: Record<'home' | 'spaceCount' | 'reviewed', number | null>) {
  return {
    ...(home === null ? {} : { homeSpaceId: home }),
    spaceCount: Number(spaceCount ?? 1),
    ...hasReviewed(reviewed),
  }
}

export const hasReviewed = (reviewed: number | null) =>
  Number(reviewed ?? 0) > 0 ? { hasReviewed: true } : {}
