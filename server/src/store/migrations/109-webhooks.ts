import type { Migration } from '../migration.ts'

/** Webhook endpoints, their positions in the change log, and deliveries. */
export const webhooks: Migration = {
  name: '109-webhooks',
  statements: ({ sql: { integer, text, clustered } }) => [
    `create table webhooks (
      account_id ${integer} not null, id ${text} not null,
      url ${text} not null, description ${text} not null, events ${text} not null, spaces ${text},
      status ${text} not null, disabled_reason ${text}, disabled_at ${integer},
      secret ${text} not null, old_secret ${text}, old_secret_until ${integer}, created_at ${integer} not null,
      recorded_at ${integer} not null, last_success_at ${integer}, failing_since ${integer}, retry_at ${integer},
      primary key (account_id, id)
    )${clustered}`,
    `create index webhooks_by_status on webhooks (status, account_id, id)`,
    `create index webhooks_by_retry on webhooks (retry_at) where retry_at is not null`,
    `create table webhook_cursors (
      account_id ${integer} not null, webhook_id ${text} not null, space_id ${integer} not null,
      seq ${integer} not null,
      primary key (account_id, webhook_id, space_id)
    )${clustered}`,
    `create table webhook_deliveries (
      account_id ${integer} not null, webhook_id ${text} not null, id ${text} not null,
      event_id ${text} not null, event ${text} not null, space_id ${integer}, seq ${integer},
      status ${text} not null, tries ${integer} not null, attempts ${text} not null, answer ${text},
      next_attempt_at ${integer}, created_at ${integer} not null,
      primary key (account_id, webhook_id, id)
    )${clustered}`,
    `create index webhook_deliveries_by_attempt on webhook_deliveries (account_id, webhook_id, next_attempt_at)
      where next_attempt_at is not null`,
  ],
}
