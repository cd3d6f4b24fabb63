import { hourMs, minuteMs, secondMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { watchOutage } from './outage.ts'
import { isOutOfReach } from './stripe-client.ts'
import { syncAccount } from './sync.ts'
import { claimSync, type DueSync, failSync, finishSync, listDueSyncs } from './sync-queue.repo.ts'

/** Each account is read this often even without events. */
const reconcileEveryMs = hourMs
/**
 * Longer than a sync takes while Stripe responds; after that, another process takes over from one that died. Two syncs
 * at once do no harm.
 */
export const claimMs = minuteMs
const dueRead = 20
/** Stripe allows 100 reads a second; a sync makes seven. */
const syncsAtOnceMax = 4
const retryMinMs = 5 * secondMs

const retryDelayMs = (tries: number) => Math.min(retryMinMs * 2 ** Math.min(tries, 20), reconcileEveryMs)

/** Runs a few syncs at once, one per account, so that one that hangs does not delay the others. */
export type SyncPool = {
  /** Starts syncs that are due while there is room, unless Stripe is out of reach. Returns how many it started. */
  startDue: () => Promise<number>
  /** Whether Stripe is left alone, since it was out of reach. */
  isPaused: () => boolean
  /** Resolves when the syncs running now have ended. */
  settled: () => Promise<void>
}

/**
 * @param mayStart false once the server stops
 * @param onEnd called when there is room again, with the time until the next try if the sync failed
 */
export function createSyncPool(
  ctx: Context,
  { mayStart, onEnd }: { mayStart: () => boolean; onEnd: (retryInMs?: number) => void },
): SyncPool {
  const running = new Map<number, Promise<void>>()
  const outage = watchOutage(() => performance.now())
  let due: DueSync[] = []

  /** Returns when to try again, if it failed. */
  async function run(sync: DueSync): Promise<number | undefined> {
    try {
      if (await syncOne(ctx, sync)) outage.responded()
      return undefined
    } catch (error) {
      const { accountId, tries } = sync
      if (isOutOfReach(error)) outage.unreachable(accountId)
      ctx.log.error({ err: error, accountId }, 'an account could not be read from Stripe; trying again')
      return retryDelayMs(tries)
    }
  }

  function start(sync: DueSync): void {
    const end = run(sync).then((retryInMs) => {
      running.delete(sync.accountId)
      onEnd(retryInMs)
    })
    running.set(sync.accountId, end)
  }

  // A request that came during a sync of its account waits for its end.
  const isFree = ({ accountId }: DueSync) => !running.has(accountId)

  return {
    async startDue() {
      const room = syncsAtOnceMax - running.size
      if (room === 0 || outage.isPaused()) return 0
      due = due.filter(isFree)
      if (due.length === 0) due = (await listDueSyncs(ctx.db, ctx.now(), dueRead)).filter(isFree)
      if (due.length === 0 || !mayStart()) return 0
      const next = due.splice(0, room)
      for (const sync of next) start(sync)
      return next.length
    },
    isPaused: outage.isPaused,
    async settled() {
      await Promise.all(running.values())
    },
  }
}

/** Returns false if another process does it. */
async function syncOne(ctx: Context, { accountId, customerId, tries }: DueSync): Promise<boolean> {
  const now = ctx.now()
  const claimedUntil = now + claimMs
  if (!(await transact(ctx, ({ db }) => claimSync(db, accountId, { now, until: claimedUntil })))) return false
  try {
    const differences = await syncAccount(ctx, accountId, customerId)
    if (differences.length > 0) ctx.log.info({ accountId, differences }, 'billing was updated from Stripe')
    const next = ctx.now() + reconcileEveryMs
    await transact(ctx, ({ db }) => finishSync(db, accountId, { claimedUntil, next }))
    return true
  } catch (error) {
    const next = ctx.now() + retryDelayMs(tries)
    await transact(ctx, ({ db }) => failSync(db, accountId, { tries: tries + 1, next }))
    throw error
  }
}
