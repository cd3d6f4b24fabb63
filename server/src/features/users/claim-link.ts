import { timingSafeEqual } from 'node:crypto'
import { isLoopback, publicAddress } from '../../config.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors/app-error.ts'
import { ownCommand } from '../../lib/own-command.ts'
import type { Signer } from '../../lib/secrets.ts'
import * as accounts from './accounts.repo.ts'

/**
 * What the one-time link carries. It follows from the secret and the account: every process of this machine prints the
 * same one, and nothing of it is stored. It ends when the account is somebody's.
 */
const tokenOf = (signer: Signer, { id }: { id: string }) => signer.sign('claim', id)

/**
 * The link that gives the memory without an account to whoever opens it; undefined when there is none. The token is in
 * the part of the address that browsers send to nobody.
 */
export async function findClaimLink(
  { db, signer, config }: Context,
  port?: number,
): Promise<string | undefined> {
  const local = await accounts.findLocalAccount(db)
  return local?.isUnclaimed
    ? `${publicAddress(config, port)}/signup#claim=${tokenOf(signer, local)}`
    : undefined
}

/** Whether there is such memory. Only on one's own machine: strangers need not know. */
export async function isMemoryWaiting({ db, config }: Context): Promise<boolean> {
  if (!isLoopback(config.host) || config.publicUrl !== undefined) return false
  const local = await accounts.findLocalAccount(db)
  return local?.isUnclaimed === true && local.entities > 0
}

/** Gives the account with that memory to somebody who signs up; answers its number. Throws `claim_not_found`. */
export async function claimAccount(ctx: Context, claim: string): Promise<number> {
  const { accountId } = await requireClaimed(ctx, claim)
  if (!(await accounts.claimAccount(ctx.db, accountId))) throw claimNotFound()
  return accountId
}

/** The account that the link with this token gives away. Throws `claim_not_found`. */
export async function requireClaimed({ db, signer }: Context, claim: string): Promise<accounts.LocalAccount> {
  const local = await accounts.findLocalAccount(db)
  if (!local?.isUnclaimed) throw claimNotFound()
  const [expected, given] = [Buffer.from(tokenOf(signer, local)), Buffer.from(claim)]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw claimNotFound()
  return local
}

export const claimNotFound = () =>
  new AppError(
    'claim_not_found',
    `This link has been used, or is not complete. While there is memory without an account, "${ownCommand('claim')}" prints its link.`,
  )
