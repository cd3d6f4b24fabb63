import { ApiError } from '@loci/client/call'
import { api } from '../../lib/api.ts'
import { isApiError } from '../../lib/errors.ts'
import { startSession } from '../../lib/session.ts'
import { forgetClaim, readClaim } from './claim.ts'
import { forgetInvitation, readInvitation } from './invitation.ts'
import type { SignupValues } from './signup.rules.ts'

/**
 * Creates the account and its session; returns the account that an invitation led to, if any. Throws errors
 * whose messages can be shown to users.
 */
export async function register(values: SignupValues): Promise<string | undefined> {
  const claim = readClaim()
  const invitation = readInvitation()
  const body = {
    email: values.email.trim().toLowerCase(),
    password: values.password,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    ...(claim === undefined ? {} : { claim }),
    ...(invitation === undefined ? {} : { invitation }),
  }
  try {
    const session = await api.register({ body })
    startSession(session)
    forgetClaim()
    forgetInvitation()
    return invitation && session.user.accounts.at(-1)?.id
  } catch (error) {
    if (isApiError(error, 'claim_not_found')) forgetClaim()
    if (isApiError(error, 'invitation_not_found')) forgetInvitation()
    throw new Error(problemOf(error), { cause: error })
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Registration failed. Please try again.'
  return error.status < 500 ? error.message : 'Failed to create account. Please try again.'
}
