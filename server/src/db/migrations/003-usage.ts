import type { Dialect } from '../dialect.ts'

/** What was called how often, and rolled keys. */
export const usage = {
  name: '003-usage',
  statements: ({ sql: { integer, text, strict } }: Dialect) => [
    `create table operation_counts (
      account_id ${text} not null references accounts (id) on delete cascade, day ${text} not null,
      operation ${text} not null, resource ${text} not null, requests ${integer} not null, response_us ${integer} not null,
      primary key (account_id, day, operation, resource)
    )${strict}`,
    `create table month_counts (
      account_id ${text} not null references accounts (id) on delete cascade, month ${text} not null, operations ${integer} not null,
      primary key (account_id, month)
    )${strict}`,
    `alter table api_keys add column rolled_at ${integer}`,
    `create table key_counts (
      account_id ${text} not null, key_id ${text} not null, requests ${integer} not null,
      active_days ${integer} not null, last_used_at ${integer} not null,
      primary key (account_id, key_id),
      foreign key (account_id, key_id) references api_keys (account_id, id) on delete cascade
    )${strict}`,
    `create table key_days (
      account_id ${text} not null, key_id ${text} not null, day ${text} not null,
      primary key (account_id, key_id, day),
      foreign key (account_id, key_id) references api_keys (account_id, id) on delete cascade
    )${strict}`,
  ],
} as const
