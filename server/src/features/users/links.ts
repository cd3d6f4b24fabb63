import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { randomToken, sha256 } from '../../ground/lib/secrets.ts'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import type { CredentialsTable } from '../../store/schema.ts'
import { transact } from '../../store/transact.ts'
import {
  deleteCredentials,
  deleteCredentialsOf,
  findCredential,
  insertCredential,
} from '../../tenancy/auth/credentials.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { emailVerification, passwordReset } from './people-mails.ts'
import type { StoredUser } from './users.repo.ts'

const lifeMs = { password_reset: hourMs, email: 7 * dayMs }
const mails = {
  password_reset: (address: string, token: string) =>
    passwordReset(`${address}/reset-password#token=${token}`),
  email: (address: string, token: string) => emailVerification(`${address}/verify-email#token=${token}`),
}

type LinkKind = Extract<CredentialsTable['kind'], 'password_reset' | 'email'>

/** A one-time link sent by mail. */
export type Link = { kind: LinkKind; accountId: number; subject: string }

/** Mails a user a new link and revokes earlier ones of the same kind. */
export async function mailLink(ctx: Context, kind: LinkKind, user: StoredUser): Promise<void> {
  const { id: subject, accountNumber: accountId, email: to } = user
  const token = randomToken()
  const expiresAt = ctx.now() + lifeMs[kind]
  const content = mails[kind](publicAddress(ctx.config), token)
  await transact(ctx, async (inner) => {
    await deleteCredentialsOf(inner.db, { kind, accountId, subject })
    await insertCredential(inner.db, { kind, accountId, subject, hash: sha256(token), expiresAt })
    await queueMail(inner, { accountId, id: inner.newId('mail'), to, content, expiresAt })
  })
}

/** Finds the link with this token. Throws `link_not_found`. */
export async function requireLink({ db, now }: Context, kind: LinkKind, token: string): Promise<Link> {
  const found = await findCredential(db, sha256(token))
  if (found?.kind !== kind || (found.expiresAt ?? 0) <= now()) throw linkNotFound()
  return { kind, accountId: found.accountId, subject: found.subject }
}

/** Uses up a link: of two concurrent uses, one succeeds. Must be called in a transaction. Throws `link_not_found`. */
export async function useLink({ db }: Context, token: string): Promise<void> {
  if ((await deleteCredentials(db, [sha256(token)])) === 0) throw linkNotFound()
}

export const linkNotFound = () =>
  new AppError('link_not_found', 'This link was used, has expired, or is incomplete. Request a new one.')
