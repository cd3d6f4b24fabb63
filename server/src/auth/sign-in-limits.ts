import type { Context } from '../context.ts'
import { minuteMs, secondMs } from '../lib/time.ts'
import type { AttemptRate } from './attempts.repo.ts'
import { type Counted, countAttempt, withAttempts } from './attempts.ts'
import { findDevice } from './device-tokens.ts'

/**
 * Failures a person may make in a row; then one a minute. Nothing is ever closed, and what one address spoils for an
 * email does not concern another.
 */
const ofOnePerson: AttemptRate = { burst: 10, intervalMs: minuteMs }
/** Against guesses at one email from many addresses. */
const ofAnEmail: AttemptRate = { burst: 50, intervalMs: minuteMs }
/** Against guesses at many emails from one address, which may be that of a whole office. */
const ofAnAddress: AttemptRate = { burst: 100, intervalMs: 3 * secondMs }
const signUpsOfAnAddress: AttemptRate = { burst: 100, intervalMs: 0.6 * secondMs }

/** Who wants to sign in, and the devices that they say they signed in on before. */
export type SignIn = { address: string; email: string; deviceTokens?: readonly string[] | undefined }

/** Runs a sign-in, which counts when it fails. Throws `rate_limited`. */
export function withSignInLimit<T>(ctx: Context, signIn: SignIn, attempt: () => Promise<T>): Promise<T> {
  return withAttempts(ctx, countedBy(ctx, signIn), attempt)
}

/**
 * A device that signed in before counts for itself, so that strangers cannot lock it out
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 */
function countedBy(ctx: Context, { address, email, deviceTokens = [] }: SignIn): Counted[] {
  const device = findDevice(ctx.signer, email, deviceTokens)
  if (device !== undefined) return [{ by: `device ${device.name}`, rate: ofOnePerson }]
  return [
    { by: `address and email ${address} ${email}`, rate: ofOnePerson },
    { by: `email ${email}`, rate: ofAnEmail },
    { by: `address ${address}`, rate: ofAnAddress },
  ]
}

/** Runs a sign-in that names nobody, which counts for its address when it fails. Throws `rate_limited`. */
export function withAddressLimit<T>(ctx: Context, address: string, attempt: () => Promise<T>): Promise<T> {
  return withAttempts(ctx, [{ by: `address ${address}`, rate: ofAnAddress }], attempt)
}

/** Counts a sign-up. Throws `rate_limited`. */
export function countSignUp(ctx: Context, address: string): Promise<void> {
  return countAttempt(ctx, [{ by: `sign-up ${address}`, rate: signUpsOfAnAddress }])
}

/** Runs a check of the password of somebody who has a session, which counts when it fails. Throws `rate_limited`. */
export function withPasswordLimit<T>(ctx: Context, sessionId: string, check: () => Promise<T>): Promise<T> {
  return withAttempts(ctx, [{ by: `session ${sessionId}`, rate: ofOnePerson }], check)
}
