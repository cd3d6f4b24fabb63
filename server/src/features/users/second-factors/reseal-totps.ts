import { setImmediate as nextTask } from 'node:timers/promises'
import { transact } from '../../../store/transact.ts'
import type { Context } from '../../../tenancy/context.ts'
import { listSealedTotps, replaceSealedTotp } from './second-factors.repo.ts'

const usersPerStep = 200

/** Reseals secrets from the previous master secret to the current one; returns how many. */
export async function resealTotps(ctx: Context, signal: AbortSignal): Promise<number> {
  let count = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    if (signal.aborted) return count
    const page: { id: string; sealed: string }[] = await listSealedTotps(ctx.db, after, usersPerStep)
    const outdated = page.flatMap(({ id, sealed }) => {
      const resealed = ctx.secretBox.reseal(sealed)
      return resealed === undefined ? [] : [{ id, sealed, resealed }]
    })
    if (outdated.length > 0) {
      await transact(ctx, async ({ db }) => {
        for (const totp of outdated) await replaceSealedTotp(db, totp)
      })
    }
    count += outdated.length
    after = page.at(-1)?.id
    await nextTask()
  }
  return count
}
