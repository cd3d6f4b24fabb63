import { brandOf } from '@loci/contract/billing'
import { allPages } from '../../ground/lib/all-pages.ts'
import { createPeriodicWork, type PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { dayMs, minuteMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import { findOwnerEmail } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { queueMail, wasQueued } from '../mails/queue-mail.ts'
import { trialEndingMail } from './billing-mails.ts'
import { inBillingTime } from './billing-time.ts'
import { listCards } from './payment-methods.repo.ts'
import { getSubscriptionRow, listEndingTrials } from './subscriptions.repo.ts'
import { mailPlaceOf } from './tell-owner.ts'

const remindBeforeMs = 3 * dayMs
const lookEveryMs = 10 * minuteMs
const trialsPerPage = 100

/**
 * Mails the owners of trials that end within three days; once each, however many processes call this, and however
 * often.
 */
export async function remindOfTrials(ctx: Context): Promise<void> {
  const now = ctx.now()
  const list = (last = { trialEnd: now, accountId: 0 }) =>
    listEndingTrials(ctx.db, last, now + remindBeforeMs, trialsPerPage)
  for await (const trials of allPages(trialsPerPage, list))
    for (const { accountId } of trials) await remind(ctx, accountId)
}

async function remind(ctx: Context, accountId: number): Promise<void> {
  if (await wasReminded(ctx, accountId)) return
  await transact(ctx, accountId, async (inner) => {
    const { plan, trialEnd } = await getSubscriptionRow(inner.db, accountId)
    const to = await findOwnerEmail(inner.db, accountId)
    if (to === undefined || trialEnd === null) return
    const card = (await listCards(inner.db, accountId)).find((candidate) => candidate.isDefault)
    const shown = card && `${brandOf(card)} ending in ${card.last4}`
    const content = trialEndingMail({ plan, trialEnd, card: shown }, mailPlaceOf(ctx))
    await queueMail(inner, { accountId, id: mailId, to, content, expiresAt: trialEnd })
  })
}

/** An account has one trial. */
const mailId = 'trial-ending'
const wasReminded = (ctx: Context, accountId: number) => wasQueued(ctx, { accountId, id: mailId })

/** Checks every ten minutes for trials about to end, if mail is configured. */
export const createTrialReminders = (ctx: Context): PeriodicWork =>
  createPeriodicWork(
    lookEveryMs,
    async () => remindOfTrials(await inBillingTime(ctx)),
    (error) => ctx.log.error({ err: error }, 'owners could not be reminded of the end of their trials'),
  )
