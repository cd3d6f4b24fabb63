import type { Context } from '../context.ts'
import type { Scope } from '../scope.ts'
import type { Db } from './db.ts'

const committedListeners = new WeakMap<Db, (() => void)[]>()

/**
 * In place of an account: work that no caller waits for and that is repeated if it gets lost. Its commit does not wait
 * for the disk, so a power cut can lose the last of it.
 */
export const inBackground = 'background'

/**
 * Runs `work` with a context whose database is one transaction: all of it happens or nothing, and announcements are
 * delivered after the commit. Inside another `transact` it joins the current transaction. Pass the account for every
 * write: accounts take turns; or {@link inBackground}.
 */
export async function transact<T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
  account?: string | number,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const announced: Scope[] = []
  const listeners: (() => void)[] = []
  const changes = { ...ctx.changes, announce: (scope: Scope) => void announced.push(scope) }
  const run = (tx: Db) => {
    announced.length = 0
    listeners.length = 0
    // Work that is committed together shares a transaction, but runs sequentially.
    committedListeners.set(tx, listeners)
    return work({ ...ctx, db: tx, changes })
  }
  const result = await ctx.dialect.transaction(ctx.db, run, account)
  for (const listener of listeners) listener()
  for (const scope of announced) ctx.changes.announce(scope)
  return result
}

/** Calls `listener` when the current work on this transaction is committed, and never if it is not. */
export function afterCommit(tx: Db, listener: () => void): void {
  committedListeners.get(tx)?.push(listener)
}
