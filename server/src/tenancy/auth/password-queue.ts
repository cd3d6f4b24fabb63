import { availableParallelism } from 'node:os'
import { AppError } from '../../ground/errors/app-error.ts'
import { createFairSlots, SlotsFullError } from '../../ground/lib/fair-slots.ts'
import { hashPassword, type PasswordCost, verifyPassword } from '../../ground/lib/passwords.ts'

/**
 * A hash takes about 25 ms of a processor and one of the four threads that also sync the disk. At most two run at
 * once, and one processor is left free.
 */
const slots = createFairSlots<string>({
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waitingMax: 1_000,
  waitingPerKeyMax: 100,
})

/** Hashes a password in the caller's turn. Throws `rate_limited` if too many wait. */
export function hashQueued(who: string, password: string, cost: PasswordCost): Promise<string> {
  return queueCall(who, () => hashPassword(password, cost))
}

/** Checks a password in the caller's turn. Throws `rate_limited` if too many wait. */
export function verifyQueued(who: string, password: string, hash: string): Promise<boolean> {
  return queueCall(who, () => verifyPassword(password, hash))
}

async function queueCall<T>(who: string, work: () => Promise<T>): Promise<T> {
  try {
    return await slots.run(who, work)
  } catch (error) {
    if (!(error instanceof SlotsFullError)) throw error
    throw new AppError('rate_limited', 'Too many passwords are being checked. Try again in a moment.', {
      retryAfter: 2,
      cause: error,
    })
  }
}
