import { AppError, invalidField } from '../../ground/errors/app-error.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { verifyQueued } from '../../tenancy/auth/password-queue.ts'
import { withPasswordLimit } from '../../tenancy/auth/sign-in-limits.ts'
import type { Context } from '../../tenancy/context.ts'
import { findUser } from './users.repo.ts'

/**
 * Requires the password of a signed-in user. Throws `validation_failed` that names the field `path`,
 * `rate_limited`.
 */
export async function requirePassword(
  ctx: Context,
  actor: Actor,
  password: string,
  path = 'currentPassword',
): Promise<void> {
  await withPasswordLimit(ctx, actor.sessionId ?? '', async () => {
    const user = await findUser(ctx.db, actor.accountId, actor.userId)
    if (user === undefined) throw new AppError('user_not_found', 'User not found')
    if (await verifyQueued(user.id, password, user.passwordHash)) return
    throw invalidField(path, 'The current password is incorrect')
  })
}
