import type { Dialect } from '../dialect.ts'

/** How far a key gets into single spaces, whether an app is held to reading, the newest call of each in a space, and who is mailed each week what happened. */
export const doors = {
  name: '046-doors',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `alter table api_keys add column doors ${text}`,
    `alter table oauth_grants add column is_read_only ${integer} not null default 0`,
    `create table door_calls (
      account_id ${integer} not null, space_id ${integer} not null, credential ${text} not null,
      at ${integer} not null, what ${text} not null, is_refused ${integer} not null,
      primary key (account_id, space_id, credential)
    )${clustered}`,
    `create table brief_mails (
      account_id ${integer} not null, space_id ${integer} not null, user_id ${text} not null,
      next_at ${integer} not null, seq ${integer} not null, at ${integer} not null,
      primary key (account_id, space_id, user_id)
    )${clustered}`,
    'create index brief_mails_by_time on brief_mails (next_at)',
    'create index door_calls_by_credential on door_calls (account_id, credential)',
  ],
} as const
