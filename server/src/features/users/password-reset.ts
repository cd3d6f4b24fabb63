import type { ConfirmPasswordReset } from '@loci/contract/recovery'
import { AppError } from '../../ground/errors/app-error.ts'
import { countAttempt } from '../../tenancy/auth/attempts.ts'
import { deleteCredentialsOf } from '../../tenancy/auth/credentials.repo.ts'
import { requireGoodPassword } from '../../tenancy/auth/password-rules.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { linksFromAddress, linksToEmail } from './link-limits.ts'
import { linkNotFound, mailLink, requireLink, useLink } from './links.ts'
import * as users from './users.repo.ts'
import { setPassword } from './users.service.ts'

/**
 * Mails a link to the user with this email. The response and its timing do not depend on whether the user exists, since
 * the work is done after the response. Throws `rate_limited` for an address that asks too often.
 */
export async function requestPasswordReset(ctx: Context, email: string, address: string): Promise<void> {
  if (ctx.config.mail === undefined) return
  await countAttempt(ctx, [linksFromAddress(address)])
  void sendReset(ctx, email).catch((error) => {
    // Limit errors are not reported, so that nobody learns whether the email is known.
    if (!(error instanceof AppError)) ctx.log.warn({ err: error }, 'a link for a new password was not mailed')
  })
}

async function sendReset(ctx: Context, email: string): Promise<void> {
  const user = await users.findUserByEmail(ctx.db, email)
  if (user === undefined || user.suspendedAt !== null) return
  await countAttempt(ctx, [linksToEmail(email)])
  await mailLink(ctx, 'password_reset', user)
}

/**
 * Sets the password of the user who got the link, and ends all their sessions. This also confirms the email address.
 * Throws `link_not_found`, and `validation_failed` for a bad password, after which the link still works.
 */
export async function confirmPasswordReset(
  ctx: Context,
  { token, password }: ConfirmPasswordReset,
  address: string,
): Promise<void> {
  const { accountId, subject: userId } = await requireLink(ctx, 'password_reset', token)
  const user = await users.findUser(ctx.db, accountId, userId)
  if (user === undefined) throw linkNotFound()
  await requireGoodPassword({ email: user.email, password, path: 'password' })
  await setPassword(ctx, userId, password, {
    also: async (inner) => {
      await useLink(inner, token)
      await deleteCredentialsOf(inner.db, { kind: 'email', accountId, subject: userId })
      await users.updateUser(inner.db, userId, { emailVerifiedAt: inner.now() })
      const author = { accountId, kind: 'visitor' as const, userId, address }
      await recordAudit(inner, author, {
        action: 'password_reset',
        subject: { kind: 'person', id: userId, name: user.email },
      })
    },
  })
}
