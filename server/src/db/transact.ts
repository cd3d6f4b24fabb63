import type { Context } from '../context.ts'

/**
 * Runs `work` with a context whose database is one transaction: all of it happens or nothing. Inside another
 * `transact` it joins the transaction under way.
 */
export async function transact<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const result = await ctx.dialect.transaction(ctx.db, (tx) => work({ ...ctx, db: tx }))
  ctx.committed.ring()
  return result
}
