import type { Migration } from '../migration.ts'

/**
 * Subscriptions, cards and invoices of either gateway, the sandbox's own state, and the books: every movement of money as
 * a row that is debited to one account of the books and credited to another.
 */
export const billing: Migration = {
  name: '108-billing',
  statements: ({ sql: { integer, text, strict, clustered } }) => [
    `create table subscriptions (
      account_id ${integer} primary key,
      plan ${text} not null, status ${text} not null, anchor ${integer}, period_start ${integer}, period_end ${integer},
      trial_end ${integer}, cancel_at_period_end ${integer} not null, pending_plan ${text},
      failed_payments ${integer} not null, next_step_at ${integer}, invoices_made ${integer} not null,
      customer_id ${text}, subscription_id ${text},
      syncs_begun ${integer} not null default 0, syncs_ended ${integer} not null default 0,
      next_try_at ${integer}, ended_plan ${text}, ended_at ${integer}, end_reason ${text},
      credit ${integer} not null default 0, sync_due_at ${integer}, sync_tries ${integer} not null default 0,
      synced_at ${integer}, notices ${text} not null default '[]', pending_upgrade text
    )${strict}`,
    `create index subscriptions_by_next_step on subscriptions (next_step_at)`,
    `create index subscriptions_by_trial_end on subscriptions (trial_end)`,
    `create index subscriptions_by_sync on subscriptions (sync_due_at)`,
    `create table payment_methods (
      account_id ${integer} not null, id ${text} not null,
      brand ${text} not null, last4 ${text} not null, exp_month ${integer} not null, exp_year ${integer} not null,
      is_default ${integer} not null, pays ${integer} not null, created_at ${integer} not null,
      primary key (account_id, id)
    )${clustered}`,
    `create table invoices (
      account_id ${integer} not null, id ${text} not null,
      number ${text} not null, created_at ${integer} not null, amount ${integer} not null, status ${text} not null,
      hosted_url ${text}, pdf_url ${text}, lines ${text} not null, paid_with ${text},
      tax ${integer} not null default 0, due_at ${integer}, paid_at ${integer}, parties ${text},
      currency ${text} not null default 'usd',
      primary key (account_id, id)
    )${clustered}`,
    `create index invoices_by_time on invoices (account_id, created_at, id)`,
    `create table setup_intents (
      account_id ${integer} not null, secret_hash ${text} not null, expires_at ${integer} not null,
      primary key (account_id, secret_hash)
    )${clustered}`,
    `create table checkouts (
      account_id ${integer} not null, token_hash ${text} not null,
      plan ${text} not null, success_url ${text} not null, cancel_url ${text} not null,
      completed_at ${integer}, expires_at ${integer} not null,
      primary key (account_id, token_hash)
    )${clustered}`,
    `create index checkouts_by_end on checkouts (account_id, expires_at)`,
    `create table stripe_events (id ${text} primary key, received_at ${integer} not null)${strict}`,
    `create index stripe_events_by_time on stripe_events (received_at)`,
    `create table billing_details (
      account_id ${integer} primary key, name ${text} not null, line1 ${text} not null, line2 ${text} not null,
      city ${text} not null, region ${text} not null, postal_code ${text} not null, country ${text} not null,
      tax_id ${text} not null
    )${strict}`,
    `create table test_clock (name ${text} primary key, offset_ms ${integer} not null)${strict}`,
    `create table ledger_entries (
      account_id ${integer} not null, id ${text} not null, at ${integer} not null, kind ${text} not null,
      debit ${text} not null, credit ${text} not null, amount ${integer} not null, currency ${text} not null,
      invoice_id ${text}, source ${text} not null,
      primary key (account_id, id)
    )${clustered}`,
    `create index ledger_entries_by_time on ledger_entries (account_id, at, id)`,
    `create index ledger_entries_by_invoice on ledger_entries (account_id, invoice_id)`,
    `create table ledger_checks (
      account_id ${integer} primary key, checked_at ${integer} not null, differences ${text} not null,
      differing ${integer} not null
    )${strict}`,
    `create index ledger_checks_by_time on ledger_checks (checked_at)`,
    `create index ledger_checks_by_difference on ledger_checks (differing) where differing > 0`,
  ],
}
