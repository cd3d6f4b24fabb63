/**
 * Storing deliveries writes fewer pages. An endpoint has at most about two thousand, so filtering them by status needs
 * no index.
 */
export const leanDeliveries = {
  name: '020-lean-deliveries',
  statements: () => ['drop index webhook_deliveries_by_status'],
} as const
