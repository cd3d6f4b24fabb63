import { createFairSlots } from '../../../ground/lib/fair-slots.ts'

/** Below the connections of PostgreSQL's pool, so that calls need not wait behind reads of many endpoints. */
const atOnce = 4
const perAccountMax = 2

/** Runs a read of the database when its turn has come; accounts take turns. Rejects if `signal` aborts first. */
export type LimitReads = <T>(accountId: number, signal: AbortSignal, read: () => Promise<T>) => Promise<T>

export function createReadLimit(): LimitReads {
  const slots = createFairSlots({ atOnce, perKeyMax: perAccountMax })
  return async (accountId, signal, read) => {
    await slots.take(accountId, signal)
    return read().finally(() => slots.give(accountId))
  }
}
