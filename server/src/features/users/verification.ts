import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { countAttempt } from '../../tenancy/auth/attempts.ts'
import type { Context } from '../../tenancy/context.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { linksToEmail } from './link-limits.ts'
import { newLink, requireLink } from './links.ts'
import { emailVerification } from './people-mails.ts'
import * as users from './users.repo.ts'

const linkLifeMs = 7 * dayMs

/** Mails the link that confirms a user's email address, if mail is set up. */
export async function sendVerification(ctx: Context, user: users.StoredUser): Promise<void> {
  if (ctx.config.mail === undefined || user.emailVerified) return
  await transact(ctx, async (inner) => {
    const { id: subject, accountNumber: accountId, email: to } = user
    const token = await newLink(inner, { kind: 'email', accountId, subject }, linkLifeMs)
    const content = emailVerification(`${publicAddress(ctx.config)}/verify-email#token=${token}`)
    const expiresAt = ctx.now() + linkLifeMs
    await queueMail(inner, { accountId, id: inner.newId('mail'), to, content, expiresAt })
  })
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
