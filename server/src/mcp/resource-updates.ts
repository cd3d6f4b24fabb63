import type { Context } from '../context.ts'
import { findTouchedNames } from '../features/memories/touched-names.ts'
import type { Scope } from '../scope.ts'
import { entityUri, graphUri } from './addresses.ts'

/**
 * Tells the addresses of the resources of a scope that change after `seq`, whichever process changes them, until the
 * answer is called. `isAllowed` is asked before each telling; once it says no, nothing is told any more.
 */
export function watchResources(
  ctx: Context,
  scope: Scope,
  seq: number,
  tell: (uri: string) => void,
  isAllowed: () => Promise<boolean> = async () => true,
): () => void {
  return ctx.changes.subscribe(scope, seq, {
    async receive(changes) {
      const names = await findTouchedNames(ctx, scope, changes)
      if (!(await isAllowed())) return
      for (const uri of [graphUri, ...[...names].map(entityUri)]) tell(uri)
    },
  })
}
