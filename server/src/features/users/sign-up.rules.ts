import type { Config } from '../../config.ts'
import { AppError } from '../../errors/app-error.ts'

const refusals = {
  invited: 'This server takes new accounts by invitation only. Ask the person who runs it for one.',
  closed: 'This server takes no new accounts.',
}

type Links = { claim?: string | undefined; invitation?: string | undefined }

/**
 * Throws `sign_up_closed` unless strangers may sign up. Whoever has the link to memory without an account was let in by
 * the person who runs the server; an invitation of a member lets in where invitations do.
 */
export function requireMaySignUp({ signUp }: Pick<Config, 'signUp'>, { claim, invitation }: Links): void {
  if (claim !== undefined || (signUp === 'invited' && invitation !== undefined)) return
  if (signUp !== 'open') throw new AppError('sign_up_closed', refusals[signUp])
}
