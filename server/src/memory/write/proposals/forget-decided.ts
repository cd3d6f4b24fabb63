import { inBackground, transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { listDecidedBefore } from './proposals.repo.ts'
import { deleteProposals } from './proposals.writes.repo.ts'

const rowsPerSlice = 200

/** Deletes proposals decided on before `at`, with what they said, until none is left or `goOn` returns false. */
export async function forgetDecided(ctx: Context, at: number, goOn: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (!(await goOn())) return
    const old = await listDecidedBefore(ctx.db, at, rowsPerSlice)
    if (old.length === 0) return
    for (const { scope, ids } of old)
      await transact(ctx, inBackground, ({ db }) => deleteProposals(db, scope, ids))
  }
}
