import { AppError } from '../../ground/errors/app-error.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { countAttempt } from '../../tenancy/auth/attempts.ts'
import type { Context } from '../../tenancy/context.ts'
import { linksToEmail } from './link-limits.ts'
import { mailLink, requireLink } from './links.ts'
import * as users from './users.repo.ts'

/** Mails the link that confirms a user's email address, if mail is set up. */
export async function sendVerification(ctx: Context, user: users.StoredUser): Promise<void> {
  if (ctx.config.mail === undefined || user.emailVerified) return
  await mailLink(ctx, 'email', user)
}

/** Mails the link again on request. Throws `rate_limited`, `mail_off`. */
export async function sendVerificationAgain(ctx: Context, actor: Actor): Promise<void> {
  if (ctx.config.mail === undefined) throw new AppError('mail_off', 'This server sends no mail')
  const user = await users.findUser(ctx.db, actor.accountId, actor.userId)
  if (user === undefined) throw new AppError('user_not_found', 'User not found')
  await countAttempt(ctx, [linksToEmail(user.email)])
  await sendVerification(ctx, user)
}

/** Records that the link was opened. It may be opened again until it expires. Throws `link_not_found`. */
export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  await transact(ctx, async (inner) => {
    const { subject: userId } = await requireLink(inner, 'email', token)
    await users.updateUser(inner.db, userId, { emailVerifiedAt: inner.now() })
  })
}
