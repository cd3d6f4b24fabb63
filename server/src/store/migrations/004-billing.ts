import type { Dialect } from '../dialect.ts'

/** Subscriptions, cards and invoices of either gateway, and the sandbox's own state. */
export const billing = {
  name: '004-billing',
  statements: ({ sql: { integer, text, strict, clustered } }: Dialect) => [
    `create table subscriptions (
      account_id ${integer} primary key,
      plan ${text} not null, status ${text} not null, anchor ${integer}, period_start ${integer}, period_end ${integer},
      trial_end ${integer}, cancel_at_period_end ${integer} not null, pending_plan ${text},
      failed_payments ${integer} not null, next_step_at ${integer}, invoices_made ${integer} not null,
      customer_id ${text}, subscription_id ${text},
      syncs_begun ${integer} not null default 0, syncs_ended ${integer} not null default 0
    )${strict}`,
    `create index subscriptions_by_next_step on subscriptions (next_step_at)`,
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
      primary key (account_id, id)
    )${clustered}`,
    `create index invoices_by_time on invoices (account_id, created_at, id)`,
    `create table invoice_items (
      account_id ${integer} not null, id ${text} not null, description ${text} not null, amount ${integer} not null,
      primary key (account_id, id)
    )${clustered}`,
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
  ],
} as const
