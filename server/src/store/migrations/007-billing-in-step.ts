import type { Dialect } from '../dialect.ts'

/** Pending invoice items that were credit, not lines. */
const keptCredit = `description = 'Credit from before'`

/** Credit as a balance, the state of syncing with Stripe, and the clock of the sandbox. */
export const billingInStep = {
  name: '007-billing-in-step',
  statements: ({ sql: { integer, text, strict } }: Dialect): readonly string[] => [
    `alter table subscriptions add column credit ${integer} not null default 0`,
    `alter table subscriptions add column sync_due_at ${integer}`,
    `alter table subscriptions add column sync_tries ${integer} not null default 0`,
    `alter table subscriptions add column synced_at ${integer}`,
    `alter table subscriptions add column notices ${text} not null default '[]'`,
    `create index subscriptions_by_sync on subscriptions (sync_due_at)`,
    `create table test_clock (name ${text} primary key, offset_ms ${integer} not null)${strict}`,
    `update subscriptions set credit = (
      select coalesce(-sum(amount), 0) from invoice_items
      where invoice_items.account_id = subscriptions.account_id and ${keptCredit}
    ) where account_id in (select account_id from invoice_items)`,
    `delete from invoice_items where ${keptCredit}`,
    // Left over from plans that have ended; a later plan must not pay for them.
    `delete from invoice_items where account_id in (select account_id from subscriptions where period_end is null)`,
  ],
}
