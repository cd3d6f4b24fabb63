import type { BillingNotice } from '@loci/contract/billing'
import type Stripe from 'stripe'
import { secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { formatDay } from '../billing-notices.ts'
import { requireStripeConfig } from './stripe-client.ts'

export const customerDeleted: BillingNotice = {
  code: 'customer_deleted',
  message: 'The customer of this account was deleted at Stripe, and the plan ended with it.',
}

/** Notices for the owner about the subscriptions running at Stripe; `current` is the one that counts here. */
export function noticesAbout(
  ctx: Context,
  running: readonly Stripe.Subscription[],
  current: Stripe.Subscription | undefined,
): BillingNotice[] {
  if (current === undefined) return []
  const notices: (BillingNotice | false)[] = [
    running.length > 1 && {
      code: 'two_subscriptions',
      message: `Stripe charges ${running.length} subscriptions for this account, but only one counts. Ask whoever runs this server to cancel the others.`,
    },
    current.status === 'unpaid' && {
      code: 'unpaid',
      message:
        'The payment failed too many times, so the plan is suspended. Add a card that works to restore it.',
    },
    !isKnown(ctx, current) && {
      code: 'unknown_price',
      message:
        'This subscription has a price that is not offered here. The plan stays as it was; ask whoever runs this server.',
    },
    endsLater(current),
  ]
  return notices.filter((notice) => notice !== false)
}

function isKnown(ctx: Context, { items }: Stripe.Subscription): boolean {
  const { prices } = requireStripeConfig(ctx)
  return Object.values(prices).includes(items.data[0]?.price.id ?? '')
}

/** An end that was set in Stripe's dashboard and lies beyond the current period. */
function endsLater({ cancel_at, items }: Stripe.Subscription): BillingNotice | false {
  if (cancel_at === null || cancel_at <= (items.data[0]?.current_period_end ?? 0)) return false
  const message = `The subscription ends on ${formatDay(cancel_at * secondMs)}, and renews until then.`
  return { code: 'ends_later', message }
}
