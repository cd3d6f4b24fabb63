import { limitsOfPlan, type PlanLimits, selfHostedPlanId } from '@loci/contract/plans'
import { type Config, publicAddress } from '../../ground/config/config.ts'

/** The effective plan: without billing, nobody has limits. */
export function planInForce({ billing }: Pick<Config, 'billing'>, plan: string): string {
  return billing === 'off' ? selfHostedPlanId : plan
}

/** What an account on this plan can store and do. */
export function limitsInForce(config: Pick<Config, 'billing'>, plan: string): PlanLimits {
  return limitsOfPlan(planInForce(config, plan))
}

/** A sentence for a person at a limit; `purpose` is what they wanted, such as `store more`. */
export function wayOut(config: Config, purpose: string): string {
  const upgrade = `Upgrade at ${publicAddress(config)}/billing to ${purpose}`
  return config.billing === 'stripe'
    ? `${upgrade}.`
    : `${upgrade}, or lift the limit with "loci account set-plan" on the server.`
}
