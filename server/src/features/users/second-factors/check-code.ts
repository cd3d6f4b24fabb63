import type { AppError } from '../../../ground/errors/app-error.ts'
import { minuteMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import { type Counted, withAttempts } from '../../../tenancy/auth/attempts.ts'
import type { Context } from '../../../tenancy/context.ts'
import { hashOfRecoveryCode } from './recovery-codes.rules.ts'
import { deleteRecoveryCode, findTotp, useTotpStep } from './second-factors.repo.ts'
import { findTotpStep, isTotpCode, plainCode } from './totp.rules.ts'

/**
 * Three codes in a million are valid at a time: at this rate, guessing for a year with a known password succeeds with a
 * probability of a tenth.
 */
const codesOf = (userId: string): Counted => ({
  by: `second factor of ${userId}`,
  rate: { burst: 10, intervalMs: 15 * minuteMs },
})

/**
 * Uses up a code of the authenticator app, or a recovery code. Throws the error made by `wrong` for a wrong or used
 * code, and `rate_limited`.
 */
export function requireCode(
  ctx: Context,
  userId: string,
  code: string,
  wrong: () => AppError,
): Promise<void> {
  return withAttempts(ctx, [codesOf(userId)], async () => {
    if (!(await useCode(ctx, userId, plainCode(code)))) throw wrong()
  })
}

async function useCode(ctx: Context, userId: string, plain: string): Promise<boolean> {
  if (!isTotpCode(plain))
    return transact(ctx, ({ db }) => deleteRecoveryCode(db, userId, hashOfRecoveryCode(userId, plain)))
  const totp = await findTotp(ctx.db, userId)
  const secret = totp && ctx.secretBox.open(totp.secret)
  const step = secret === undefined ? undefined : await findTotpStep(secret, plain, ctx.now())
  return step !== undefined && transact(ctx, ({ db }) => useTotpStep(db, userId, step))
}
