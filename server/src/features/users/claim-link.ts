import { publicAddress } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { isLoopback } from '../../ground/lib/networks.ts'
import { ownCommand } from '../../ground/lib/own-command.ts'
import { isSameSecret, type Signer } from '../../ground/lib/secrets.ts'
import type { Context } from '../../tenancy/context.ts'
import * as accounts from './accounts.repo.ts'

/**
 * The token of the one-time link. It is derived from the secret and the account, so every process on this machine
 * prints the same one and nothing is stored. It becomes invalid when the account is claimed.
 */
const tokenOf = (signer: Signer, { id }: { id: string }) => signer.sign('claim', id)

/**
 * The link that lets the person who opens it claim memory without an account; undefined if there is none. The token is
 * in the fragment of the URL, which browsers do not send.
 */
export async function findClaimLink(
  { db, signer, config }: Context,
  address = publicAddress(config),
): Promise<string | undefined> {
  const local = await accounts.findLocalAccount(db)
  return local?.isUnclaimed ? `${address}/signup#claim=${tokenOf(signer, local)}` : undefined
}

/** Whether there is memory to claim. Reported only by local servers, since strangers need not know. */
export async function isMemoryWaiting({ db, config }: Context): Promise<boolean> {
  if (!isLoopback(config.host) || config.publicUrl !== undefined) return false
  const local = await accounts.findLocalAccount(db)
  return local?.isUnclaimed === true && !local.isEmpty
}

/** Claims the account with that memory for a new user; returns its number. Throws `claim_not_found`. */
export async function claimAccount(ctx: Context, claim: string): Promise<number> {
  const { accountId } = await requireClaimed(ctx, claim)
  if (!(await accounts.markClaimed(ctx.db, accountId))) throw claimNotFound()
  return accountId
}

/** The account that this token claims. Throws `claim_not_found`. */
export async function requireClaimed({ db, signer }: Context, claim: string): Promise<accounts.LocalAccount> {
  const local = await accounts.findLocalAccount(db)
  if (!local?.isUnclaimed) throw claimNotFound()
  if (!isSameSecret(claim, tokenOf(signer, local))) throw claimNotFound()
  return local
}

export const claimNotFound = () =>
  new AppError(
    'claim_not_found',
    `This link has been used or is incomplete. While there is memory without an account, "${ownCommand('claim')}" prints its link.`,
  )
