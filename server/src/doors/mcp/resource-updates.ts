import { findTouchedNames } from '../../features/memories/touched-names.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { entityUri, graphUri } from './addresses.ts'

/**
 * Calls `tell` with the URIs of resources of a scope that change after `seq`, in whichever process,
 * until the returned function is called. `isAllowed` is checked before each notification; once it
 * returns false, none follow.
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
