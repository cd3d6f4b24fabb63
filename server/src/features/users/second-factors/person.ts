import { AppError } from '../../../ground/errors/app-error.ts'
import type { Context } from '../../../tenancy/context.ts'
import { findUserInFirstAccount, type StoredUser } from '../users.repo.ts'

/** A user in the account that they sign in to. */
export const findPerson = ({ db }: Pick<Context, 'db'>, userId: string): Promise<StoredUser | undefined> =>
  findUserInFirstAccount(db, userId)

/** Throws `user_not_found`. */
export async function requirePerson(ctx: Pick<Context, 'db'>, userId: string): Promise<StoredUser> {
  const person = await findPerson(ctx, userId)
  if (person === undefined) throw new AppError('user_not_found', 'User not found')
  return person
}
