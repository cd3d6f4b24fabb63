import { secondMs } from '../../ground/lib/time.ts'
import { withReserve } from '../../store/disk-reserve.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Follower, startFollower } from '../../tenancy/leases/follower.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { deletedSpaces, removeSpaceRows } from '../spaces/remove-space.ts'
import { deletedAccounts, removeAccountRows } from '../users/remove-account.ts'

/** A deleted space, or an account with all its spaces. */
type Removal = { accountId: number; spaceId?: number }

/** After this time the lease is renewed and the next removal gets its turn. */
const visitMs = 5 * secondMs
const leaseMs = 30 * secondMs
/** Nobody waits for it: what is deleted is not found any more. */
const restMs = 5 * secondMs

/** Deletes the rows of deleted spaces and accounts, in batches; resumes where a process that died stopped. */
export function startRemovals(ctx: Context): Follower {
  const start = () =>
    startFollower<Removal>(ctx, {
      name: 'removals',
      leaseMs,
      restMs,
      behind: (_lease, accountIds) => removals(ctx, accountIds),
      catchUp: (removal, _lease, signal) => removeForAWhile(ctx, removal, signal),
      onFailure: async (error, failures) => {
        if (failures === 1)
          ctx.log.warn({ err: error }, 'what was deleted could not be removed; trying again')
        return undefined
      },
    })
  return withReserve(start)
}

/** Finishes interrupted removals. */
export async function finishRemovals(ctx: Context): Promise<void> {
  for await (const removal of removals(ctx)) while (await removeForAWhile(ctx, removal));
}

/** Number of deleted spaces and accounts that still have rows. */
export async function countRemovals(ctx: Context): Promise<number> {
  let count = 0
  for await (const _ of removals(ctx)) count++
  return count
}

async function* removals(ctx: Context, accountIds?: readonly number[]): AsyncGenerator<Removal, void> {
  yield* deletedSpaces(ctx, accountIds)
  yield* deletedAccounts(ctx, accountIds)
}

/** Returns whether there is more to delete. */
async function removeForAWhile(ctx: Context, removal: Removal, signal?: AbortSignal): Promise<boolean> {
  const endsAt = performance.now() + visitMs
  const isOver = () => signal?.aborted === true || performance.now() > endsAt
  await ctx.dialect.updateStatistics(ctx.db)
  return isSpace(removal)
    ? removeSpaceRows(ctx, removal, isOver)
    : removeAccountRows(ctx, removal.accountId, isOver)
}

const isSpace = (removal: Removal): removal is Scope => removal.spaceId !== undefined
