import { AppError } from '../../ground/errors/app-error.ts'
import { randomToken, sha256 } from '../../ground/lib/secrets.ts'
import type { CredentialsTable } from '../../store/schema.ts'
import {
  deleteCredentials,
  deleteCredentialsOf,
  findCredential,
  insertCredential,
} from '../../tenancy/auth/credentials.repo.ts'
import type { Context } from '../../tenancy/context.ts'

type LinkKind = Extract<CredentialsTable['kind'], 'password_reset' | 'email'>

/** A one-time link sent by mail. */
export type Link = { kind: LinkKind; accountId: number; subject: string }

/** Creates a link's token and revokes earlier ones of the same kind. Must be called in a transaction. */
export async function newLink({ db, now }: Context, link: Link, lifeMs: number): Promise<string> {
  const token = randomToken()
  await deleteCredentialsOf(db, link)
  await insertCredential(db, { ...link, hash: sha256(token), expiresAt: now() + lifeMs })
  return token
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
