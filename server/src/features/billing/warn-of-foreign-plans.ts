import type { Context } from '../../tenancy/context.ts'
import { countForeignPlans } from './subscriptions.repo.ts'

/** Warns at start-up of plans that a change of `LOCI_BILLING` left behind. */
export async function warnOfForeignPlans({ db, config, log }: Context): Promise<void> {
  const accounts = await countForeignPlans(db, config.billing)
  if (accounts === 0) return
  if (config.billing === 'stripe') {
    log.warn({ accounts }, 'accounts have plans of the sandbox: see `loci billing end-sandbox`')
  } else {
    log.warn(
      { accounts },
      'accounts pay through Stripe, but LOCI_BILLING is not stripe; Stripe continues to charge them',
    )
  }
}
