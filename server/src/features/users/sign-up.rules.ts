import type { Config } from '../../config.ts'
import { AppError } from '../../errors/app-error.ts'

const refusals = {
  invited: 'This server takes new accounts by invitation only. Ask the person who runs it for one.',
  closed: 'This server takes no new accounts.',
}

/** Throws `sign_up_closed` unless strangers may sign up. */
export function requireOpenSignUp({ signUp }: Pick<Config, 'signUp'>): void {
  if (signUp !== 'open') throw new AppError('sign_up_closed', refusals[signUp])
}
