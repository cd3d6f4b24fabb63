import type { Config } from '../../ground/config/config.ts'

/** True while no real money moves. */
export function isTestMode({ billing, stripe }: Pick<Config, 'billing' | 'stripe'>): boolean {
  if (billing === 'off') return false
  return stripe === undefined || !stripe.secretKey.includes('_live_')
}
