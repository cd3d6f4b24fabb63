import { publicAddress } from '../../../ground/config/config.ts'
import { dayOf } from '../../../ground/lib/time.ts'
import { findOwnerEmail } from '../../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import { queueMail } from '../../mails/queue-mail.ts'
import type { WebhookKey } from '../deliveries.repo.ts'
import { disabledMail, type Fault, overPlanMail } from '../webhook-mails.ts'
import { disableWebhook } from './results.repo.ts'

type Disabled = WebhookKey & { url: string; description: string }

/** Disables an endpoint and mails the owner of its account. Runs in the caller's transaction. */
export async function disable(ctx: Context, webhook: Disabled, reason: Fault): Promise<void> {
  const { accountId, id } = webhook
  await disableWebhook(ctx.db, webhook, reason, ctx.now())
  const to = await findOwnerEmail(ctx.db, accountId)
  if (to === undefined) return
  const content = disabledMail(webhook, reason, publicAddress(ctx.config))
  await queueMail(ctx, { accountId, id: `webhook-${id}-${ctx.now()}`, to, content })
}

/** Disables an endpoint that the plan does not allow. The owner gets one mail a day, however many these are. */
export async function disableOverPlan(ctx: Context, webhook: WebhookKey, allowed: number): Promise<void> {
  const { accountId } = webhook
  await disableWebhook(ctx.db, webhook, 'plan', ctx.now())
  const to = await findOwnerEmail(ctx.db, accountId)
  if (to === undefined) return
  const content = overPlanMail(allowed, publicAddress(ctx.config))
  const day = dayOf(ctx.now())
  await queueMail(ctx, { accountId, id: `webhooks-over-plan-${day}`, to, content })
}
