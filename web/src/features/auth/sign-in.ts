import { ApiError } from '@loci/client/call'
import type { PasskeyProof, SecondStep } from '@loci/contract/second-factors'
import { api } from '../../lib/api.ts'
import { readDeviceTokens } from '../../lib/device-tokens.ts'
import { isApiError } from '../../lib/errors.ts'
import { usePasskey } from '../../lib/passkeys.ts'
import { startSession } from '../../lib/session.ts'

/** Signs in with the password; returns the next step if one is required. */
export async function signIn(email: string, password: string): Promise<SecondStep | undefined> {
  try {
    startSession(await api.login({ body: { email, password, deviceTokens: readDeviceTokens() } }))
    return undefined
  } catch (error) {
    if (isApiError(error, 'second_factor_required')) return error.details[0] as SecondStep
    throw error
  }
}

export async function finishWithCode(token: string, code: string): Promise<void> {
  startSession(await api.finishLogin({ body: { token, code, deviceTokens: readDeviceTokens() } }))
}

export async function finishWithPasskey(token: string): Promise<void> {
  const { options } = await api.passkeyLoginOptions({ body: { token } })
  const passkey = await usePasskey(options)
  startSession(await api.finishLogin({ body: { token, passkey, deviceTokens: readDeviceTokens() } }))
}

/** Has the user choose a passkey, in a dialog or `quietly` in the autofill list of the email field. */
export async function choosePasskey(quietly = false): Promise<PasskeyProof> {
  const { options } = await api.passkeyLoginOptions({ body: {} })
  return usePasskey(options, quietly)
}

/** Signs in with a passkey and no password. */
export async function signInWithPasskey(passkey: PasskeyProof): Promise<void> {
  startSession(await api.loginWithPasskey({ body: { passkey, deviceTokens: readDeviceTokens() } }))
}

export function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Login failed. Please try again.'
  if (error.status === 401) return 'Invalid email or password. Please try again.'
  if (isApiError(error, 'rate_limited', 'user_suspended')) return error.message
  return 'Login failed. Please try again.'
}
