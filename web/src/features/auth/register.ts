import { ApiError } from '@loci/client/call'
import { api } from '../../lib/api.ts'
import { isApiError } from '../../lib/errors.ts'
import { startSession } from '../../lib/session.ts'
import { forgetClaim, readClaim } from './claim.ts'
import type { SignupValues } from './signup.rules.ts'

/** Creates the account and its session; throws an error whose message is fit to show. */
export async function register(values: SignupValues): Promise<void> {
  const claim = readClaim()
  const body = {
    email: values.email.trim().toLowerCase(),
    password: values.password,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    ...(claim === undefined ? {} : { claim }),
  }
  try {
    startSession(await api.register({ body }))
    forgetClaim()
  } catch (error) {
    if (isApiError(error, 'claim_not_found')) forgetClaim()
    throw new Error(problemOf(error), { cause: error })
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Registration failed. Please try again.'
  return error.status < 500 ? error.message : 'Failed to create account. Please try again.'
}
