import { minuteMs, secondMs } from '../../ground/lib/time.ts'
import type { Context } from '../context.ts'
import type { AttemptRate } from './attempts.repo.ts'
import { type Counted, countAttempt, withAttempts } from './attempts.ts'
import { findDevice } from './device-tokens.ts'

/**
 * Consecutive failures allowed per person, then one a minute. Nobody is ever locked out, and failures from one
 * address do not affect the same email elsewhere.
 */
const ofOnePerson: AttemptRate = { burst: 10, intervalMs: minuteMs }
/** Limits guesses at one email from many addresses. */
const ofAnEmail: AttemptRate = { burst: 50, intervalMs: minuteMs }
/** Limits guesses at many emails from one address, which may be that of a whole office. */
const ofAnAddress: AttemptRate = { burst: 100, intervalMs: 3 * secondMs }
const signUpsOfAnAddress: AttemptRate = { burst: 100, intervalMs: 0.6 * secondMs }

/** The person signing in, and the device tokens that they claim. */
export type SignIn = { address: string; email: string; deviceTokens?: readonly string[] | undefined }

/** Runs a sign-in and counts it if it fails. Throws `rate_limited`. */
export function withSignInLimit<T>(ctx: Context, signIn: SignIn, attempt: () => Promise<T>): Promise<T> {
  return withAttempts(ctx, countedBy(ctx, signIn), attempt)
}

/**
 * A device that has signed in before is counted separately, so that strangers cannot lock it out
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

/** Runs a sign-in without an email and counts it for its address if it fails. Throws `rate_limited`. */
export function withAddressLimit<T>(ctx: Context, address: string, attempt: () => Promise<T>): Promise<T> {
  return withAttempts(ctx, [{ by: `address ${address}`, rate: ofAnAddress }], attempt)
}

/** Counts a sign-up. Throws `rate_limited`. */
export function countSignUp(ctx: Context, address: string): Promise<void> {
  return countAttempt(ctx, [{ by: `sign-up ${address}`, rate: signUpsOfAnAddress }])
}

/** Checks the password of a signed-in person and counts failures. Throws `rate_limited`. */
export function withPasswordLimit<T>(ctx: Context, sessionId: string, check: () => Promise<T>): Promise<T> {
  return withAttempts(ctx, [{ by: `session ${sessionId}`, rate: ofOnePerson }], check)
}
