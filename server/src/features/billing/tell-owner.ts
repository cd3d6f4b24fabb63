import { publicAddress } from '../../ground/config/config.ts'
import { findOwnerEmail } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { type MailPlace, toMail } from './billing-mails.ts'
import { type BillingState, newsOf } from './billing-news.ts'
import { listInvoiceRows } from './invoices.repo.ts'
import { getSubscriptionRow } from './subscriptions.repo.ts'
import { isTestMode } from './test-mode.ts'

/**
 * Runs `work`, which changes an account's billing in the current transaction, and mails the owner any news, if mail is
 * configured.
 */
export async function tellOwner(ctx: Context, accountId: number, work: () => Promise<void>): Promise<void> {
  if (ctx.config.mail === undefined) return work()
  const before = await readState(ctx, accountId)
  await work()
  const news = newsOf(before, await readState(ctx, accountId), ctx.now())
  const to = news.length === 0 ? undefined : await findOwnerEmail(ctx.db, accountId)
  if (to === undefined) return
  for (const one of news) {
    await queueMail(ctx, { accountId, id: one.id, to, content: toMail(one, mailPlaceOf(ctx)) })
  }
}

async function readState({ db }: Context, accountId: number): Promise<BillingState> {
  return {
    subscription: await getSubscriptionRow(db, accountId),
    invoices: await listInvoiceRows(db, accountId),
  }
}

export function mailPlaceOf({ config }: Pick<Context, 'config'>): MailPlace {
  return { address: publicAddress(config), testMode: isTestMode(config) }
}
