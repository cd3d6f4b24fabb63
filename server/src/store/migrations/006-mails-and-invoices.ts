import type { Dialect } from '../dialect.ts'

/** The outbox of mails, billing details, further fields of invoices, and how a subscription ended. */
export const mailsAndInvoices = {
  name: '006-mails-and-invoices',
  statements: ({ sql: { integer, text, strict, clustered } }: Dialect): readonly string[] => [
    `create table mails (
      account_id ${integer} not null, id ${text} not null,
      recipient ${text} not null, content ${text}, created_at ${integer} not null, expires_at ${integer},
      tries ${integer} not null, next_try_at ${integer}, sent_at ${integer}, failure ${text},
      primary key (account_id, id)
    )${clustered}`,
    `create index mails_by_next_try on mails (next_try_at)`,
    `create index mails_by_time on mails (created_at)`,
    `create table billing_details (
      account_id ${integer} primary key, name ${text} not null, line1 ${text} not null, line2 ${text} not null,
      city ${text} not null, region ${text} not null, postal_code ${text} not null, country ${text} not null,
      tax_id ${text} not null
    )${strict}`,
    `alter table invoices add column tax ${integer} not null default 0`,
    `alter table invoices add column due_at ${integer}`,
    `alter table invoices add column paid_at ${integer}`,
    `alter table invoices add column parties ${text}`,
    `alter table subscriptions add column next_try_at ${integer}`,
    `alter table subscriptions add column ended_plan ${text}`,
    `alter table subscriptions add column ended_at ${integer}`,
    `alter table subscriptions add column end_reason ${text}`,
    `create index subscriptions_by_trial_end on subscriptions (trial_end)`,
  ],
}
