import { availableParallelism } from 'node:os'
import { AppError } from '../../ground/errors/app-error.ts'
import { hashPassword, type PasswordCost, verifyPassword } from '../../ground/lib/passwords.ts'
import { createWaitingLine, LineFullError } from '../../ground/lib/waiting-line.ts'

/**
 * A hash takes about 25 ms of a processor and one of the four threads that also sync the disk. At most two run at
 * once, and one processor is left free.
 */
const line = createWaitingLine({
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waitingMax: 1_000,
  waitingPerKeyMax: 100,
})

/** Hashes a password in the caller's turn. Throws `rate_limited` if too many wait. */
export function hashInTurn(who: string, password: string, cost: PasswordCost): Promise<string> {
  return inTurn(who, () => hashPassword(password, cost))
}

/** Checks a password in the caller's turn. Throws `rate_limited` if too many wait. */
export function verifyInTurn(who: string, password: string, hash: string): Promise<boolean> {
  return inTurn(who, () => verifyPassword(password, hash))
}

async function inTurn<T>(who: string, work: () => Promise<T>): Promise<T> {
  try {
    return await line.run(who, work)
  } catch (error) {
    if (!(error instanceof LineFullError)) throw error
    throw new AppError('rate_limited', 'Too many passwords are being checked. Try again in a moment.', {
      retryAfter: 2,
      cause: error,
    })
  }
}
