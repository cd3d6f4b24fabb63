import type { Migration } from '../migration.ts'

/** Programs connected over OAuth: clients, grants and tokens. */
export const oauth: Migration = {
  name: '102-oauth',
  statements: ({ sql: { integer, text, clustered } }) => [
    `create table oauth_clients (
      id ${text} not null primary key, metadata ${text} not null, created_at ${integer} not null,
      expires_at ${integer} not null
    )${clustered}`,
    `create index oauth_clients_by_end on oauth_clients (expires_at)`,
    `create table oauth_requests (
      id ${text} not null primary key, payload ${text} not null, expires_at ${integer} not null
    )${clustered}`,
    `create index oauth_requests_by_end on oauth_requests (expires_at)`,
    `create table oauth_grants (
      account_id ${integer} not null, id ${text} not null, user_id ${text} not null, space_id ${integer} not null,
      client_id ${text} not null, client_name ${text} not null, client_host ${text} not null, scopes ${text} not null,
      resource ${text} not null, created_at ${integer} not null, last_used_at ${integer},
      expires_at ${integer} not null,
      writes ${text}, is_read_only ${integer} not null default 0,
      primary key (account_id, id)
    )${clustered}`,
    `create index oauth_grants_by_user on oauth_grants (account_id, user_id, id)`,
    `create index oauth_grants_by_end on oauth_grants (expires_at)`,
    `create table oauth_tokens (
      account_id ${integer} not null, hash ${text} not null, grant_id ${text} not null, kind ${text} not null,
      payload ${text} not null, consumed_at ${integer}, expires_at ${integer} not null,
      primary key (account_id, hash)
    )${clustered}`,
    `create index oauth_tokens_by_grant on oauth_tokens (account_id, grant_id)`,
  ],
}
