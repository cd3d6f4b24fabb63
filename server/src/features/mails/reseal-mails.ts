import { setImmediate as nextTask } from 'node:timers/promises'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { listWaitingMails, replaceContent, type WaitingMail } from './mails.repo.ts'

const mailsPerStep = 200

/** Reseals the mails of the outbox from the previous master secret to the current one; returns how many. */
export async function resealMails(ctx: Context, signal: AbortSignal): Promise<number> {
  let count = 0
  for (let after: WaitingMail | undefined; !signal.aborted; ) {
    const page: WaitingMail[] = await listWaitingMails(ctx.db, after, mailsPerStep)
    for (const mail of page) {
      const resealed = ctx.secretBox.reseal(mail.content)
      if (resealed === undefined) continue
      await transact(ctx, mail.accountId, ({ db }) => replaceContent(db, mail, resealed))
      count++
    }
    after = page.at(-1)
    if (after === undefined) return count
    await nextTask()
  }
  return count
}
