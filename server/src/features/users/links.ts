import {
  deleteCredentials,
  deleteCredentialsOf,
  findCredential,
  insertCredential,
} from '../../auth/credentials.repo.ts'
import type { Context } from '../../context.ts'
import type { CredentialsTable } from '../../db/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'

type LinkKind = Extract<CredentialsTable['kind'], 'password_reset' | 'email'>

/** A link that is sent to a person by mail, and opens what it is for once. */
export type Link = { kind: LinkKind; accountId: number; subject: string }

/** Makes a link's token, after which earlier ones of the same kind open nothing. To be called in a transaction. */
export async function newLink({ db, now }: Context, link: Link, lifeMs: number): Promise<string> {
  const token = randomToken()
  await deleteCredentialsOf(db, link)
  await insertCredential(db, { ...link, hash: sha256(token), expiresAt: now() + lifeMs })
  return token
}

/** Who a link is for. Throws `link_not_found`. */
export async function requireLink({ db, now }: Context, kind: LinkKind, token: string): Promise<Link> {
  const found = await findCredential(db, sha256(token))
  if (found?.kind !== kind || (found.expiresAt ?? 0) <= now()) throw linkNotFound()
  return { kind, accountId: found.accountId, subject: found.subject }
}

/** Ends a link: of two who use it at once, one succeeds. To be called in a transaction. Throws `link_not_found`. */
export async function useLink({ db }: Context, token: string): Promise<void> {
  if ((await deleteCredentials(db, [sha256(token)])) === 0) throw linkNotFound()
}

export const linkNotFound = () =>
  new AppError('link_not_found', 'This link was used, has expired, or is not complete. Ask for a new one.')
