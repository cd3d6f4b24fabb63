/** Upgrades that begin once the bank's confirmation has come: JSON of the plan, the invoice and the times. */
export const pendingUpgrades = {
  name: '029-pending-upgrades',
  statements: () => ['alter table subscriptions add column pending_upgrade text'],
} as const
