import { setImmediate as nextTask } from 'node:timers/promises'
import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { endRotation } from '../../tenancy/open-secret.ts'
import { resealMails } from '../mails/reseal-mails.ts'
import { resealWebhookSecrets } from '../webhooks/webhooks.service.ts'
import { listSealedTotps, replaceSealedTotp } from './second-factors/second-factors.repo.ts'
import { listSealedKeys, replaceSealedKey } from './users.repo.ts'

const usersPerStep = 200

/**
 * Reseals secrets from LOCI_SECRET_OLD to the current one, in short transactions. Several processes can do so at once;
 * if one is killed, the next start finishes the rest. Returns the number resealed.
 */
export async function resealSecrets(
  ctx: Context,
  signal: AbortSignal,
): Promise<{ personalKeys: number; webhooks: number; authenticators: number; mails: number }> {
  const personalKeys = await resealOfUsers(ctx, signal, { list: listSealedKeys, replace: replaceSealedKey })
  const webhooks = await resealWebhookSecrets(ctx, signal)
  const authenticators = await resealOfUsers(ctx, signal, {
    list: listSealedTotps,
    replace: replaceSealedTotp,
  })
  const mails = await resealMails(ctx, signal)
  if (!signal.aborted) await endRotation(ctx.config, ctx.db)
  return { personalKeys, webhooks, authenticators, mails }
}

type Sealed = { id: string; sealed: string }
type OfUsers = {
  list: (db: Db, after: string, limit: number) => Promise<Sealed[]>
  replace: (db: Db, one: Sealed & { resealed: string }) => Promise<void>
}

async function resealOfUsers(ctx: Context, signal: AbortSignal, { list, replace }: OfUsers): Promise<number> {
  let count = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    if (signal.aborted) return count
    const page: Sealed[] = await list(ctx.db, after, usersPerStep)
    const outdated = page.flatMap(({ id, sealed }) => {
      const resealed = ctx.secretBox.reseal(sealed)
      return resealed === undefined ? [] : [{ id, sealed, resealed }]
    })
    if (outdated.length > 0) {
      await transact(ctx, async ({ db }) => {
        for (const one of outdated) await replace(db, one)
      })
    }
    count += outdated.length
    after = page.at(-1)?.id
    await nextTask()
  }
  return count
}
