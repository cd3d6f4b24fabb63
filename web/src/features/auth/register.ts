import { ApiError } from '@loci/client/call'
import { api } from '../../lib/api.ts'
import { startSession } from '../../lib/session.ts'
import type { SignupValues } from './signup.rules.ts'

/** Creates the account and its session; throws an error whose message is fit to show. */
export async function register(values: SignupValues): Promise<void> {
  const body = {
    email: values.email.trim().toLowerCase(),
    password: values.password,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
  }
  try {
    startSession(await api.register({ body }))
  } catch (error) {
    throw new Error(problemOf(error), { cause: error })
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Registration failed. Please try again.'
  return error.status < 500 ? error.message : 'Failed to create account. Please try again.'
}
