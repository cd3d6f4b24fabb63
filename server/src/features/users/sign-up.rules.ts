import type { Config } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'

const refusals = {
  invited: 'This server takes new accounts by invitation only. Ask the person who runs it for one.',
  closed: 'This server takes no new accounts.',
}

type Links = { claim?: string | undefined; invitation?: string | undefined }

/**
 * Throws `sign_up_closed` unless sign-up is allowed. A link to memory without an account always allows it, since only
 * the operator sees that link; a member's invitation allows it if `signUp` is `invited`.
 */
export function requireMaySignUp({ signUp }: Pick<Config, 'signUp'>, { claim, invitation }: Links): void {
  if (claim !== undefined || (signUp === 'invited' && invitation !== undefined)) return
  if (signUp !== 'open') throw new AppError('sign_up_closed', refusals[signUp])
}
