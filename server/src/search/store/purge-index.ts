import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { postingsOf } from './posting-lists.ts'

/** Rewrites the index without what was removed from it, so that no file keeps it; in steps, between other work. */
export async function purgeIndex(ctx: Context, { accountId }: Scope): Promise<void> {
  const purge = (isFirst: boolean) =>
    transact(ctx, accountId, (inner) =>
      inner.dialect.overwriting(inner.db, () => postingsOf(inner.dialect).purge(inner.db, isFirst)),
    )
  let isMore = await purge(true)
  while (isMore) isMore = await purge(false)
}
