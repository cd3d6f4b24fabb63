import type { MoveTestClock, TestClock } from '@loci/contract/billing'
import { AppError } from '../../../ground/errors/app-error.ts'
import { secondMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { settleAccounts } from '../settle.ts'
import { advanceClock } from '../test-clock.repo.ts'

/**
 * Advances the sandbox clock for all accounts of the server and runs everything due by then. Throws `not_found` where
 * there is no such clock.
 */
export async function moveTestClock(ctx: Context, { advanceBySeconds }: MoveTestClock): Promise<TestClock> {
  if (!ctx.config.testClock) throw new AppError('not_found', 'There is nothing at this address')
  const by = advanceBySeconds * secondMs
  if (by > 0) await transact(ctx, ({ db }) => advanceClock(db, by))
  const moved = { ...ctx, now: () => ctx.now() + by }
  if (by > 0) await settleAccounts(moved)
  return { now: Math.floor(moved.now() / secondMs) }
}
