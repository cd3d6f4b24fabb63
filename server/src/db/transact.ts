import type { Scope } from '../auth/actor.ts'
import type { Context } from '../context.ts'

/**
 * Runs `work` with a context whose database is one transaction: all of it happens or nothing, and what it announced
 * is told after the commit. Inside another `transact` it joins the transaction under way.
 */
export async function transact<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const announced: Scope[] = []
  const changes = { ...ctx.changes, announce: (scope: Scope) => void announced.push(scope) }
  const result = await ctx.dialect.transaction(ctx.db, (tx) => {
    announced.length = 0
    return work({ ...ctx, db: tx, changes })
  })
  for (const scope of announced) ctx.changes.announce(scope)
  return result
}
