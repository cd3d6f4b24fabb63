import { setImmediate as nextTask } from 'node:timers/promises'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { endRotation } from '../../tenancy/open-secret.ts'
import { resealMails } from '../mails/reseal-mails.ts'
import { resealWebhookSecrets } from '../webhooks/webhooks.service.ts'
import { resealTotps } from './second-factors/reseal-totps.ts'
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
  const personalKeys = await resealPersonalKeys(ctx, signal)
  const webhooks = await resealWebhookSecrets(ctx, signal)
  const authenticators = await resealTotps(ctx, signal)
  const mails = await resealMails(ctx, signal)
  if (!signal.aborted) await endRotation(ctx.config, ctx.db)
  return { personalKeys, webhooks, authenticators, mails }
}

async function resealPersonalKeys(ctx: Context, signal: AbortSignal): Promise<number> {
  let count = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    if (signal.aborted) return count
    const page: { id: string; sealed: string }[] = await listSealedKeys(ctx.db, after, usersPerStep)
    const outdated = page.flatMap(({ id, sealed }) => {
      const resealed = ctx.secretBox.reseal(sealed)
      return resealed === undefined ? [] : [{ id, sealed, resealed }]
    })
    if (outdated.length > 0) {
      await transact(ctx, async ({ db }) => {
        for (const key of outdated) await replaceSealedKey(db, key)
      })
    }
    count += outdated.length
    after = page.at(-1)?.id
    await nextTask()
  }
  return count
}
