import type { Dialect } from '../dialect.ts'

/**
 * Accounts, people and credentials. The account's number leads each key of each table that belongs to an account.
 * People belong to none; `credentials` finds everything that is looked up by a secret.
 */
export const accounts = {
  name: '001-accounts',
  statements: ({ sql: { integer, text, strict, clustered, numbered } }: Dialect) => [
    `create table accounts (
      account_id ${numbered}, id ${text} not null, plan ${text} not null, unclaimed ${integer} not null, local ${integer} not null,
      agent_seen_at ${integer}, created_at ${integer} not null, deleted_at ${integer}, next_id ${integer} not null,
      next_space_id ${integer} not null, next_actor_id ${integer} not null, revocations ${integer} not null,
      entities ${integer} not null, bytes ${integer} not null
    )${strict}`,
    `create index accounts_by_unclaimed on accounts (unclaimed)`,
    `create index accounts_by_local on accounts (local)`,
    `create index accounts_by_deletion on accounts (deleted_at)`,
    `create table credentials (
      hash ${text} primary key, kind ${text} not null, account_id ${integer} not null, subject ${text} not null,
      expires_at ${integer}
    )${clustered}`,
    `create index credentials_by_end on credentials (expires_at)`,
    `create index credentials_by_account on credentials (account_id)`,
    `create table users (
      id ${text} primary key, email ${text} not null unique, password_hash ${text} not null,
      first_name ${text} not null, last_name ${text} not null, personal_key_hash ${text} not null,
      personal_key_encrypted ${text} not null, created_at ${integer} not null
    )${strict}`,
    `create table members (
      account_id ${integer} not null, user_id ${text} not null,
      role ${text} not null check (role in ('owner', 'admin', 'member', 'viewer')), created_at ${integer} not null,
      suspended_at ${integer},
      primary key (account_id, user_id)
    )${clustered}`,
    `create index members_by_user on members (user_id)`,
    `create table sessions (
      account_id ${integer} not null, id ${text} not null, token_hash ${text} not null, user_id ${text} not null,
      user_agent ${text} not null, created_at ${integer} not null, last_seen_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (account_id, id)
    )${clustered}`,
    `create index sessions_by_user on sessions (account_id, user_id, created_at, id)`,
    `create table api_keys (
      account_id ${integer} not null, id ${text} not null, name ${text} not null, key_hash ${text} not null,
      preview ${text} not null, created_by ${text} not null, created_at ${integer} not null, expires_at ${integer},
      rolled_at ${integer},
      primary key (account_id, id)
    )${clustered}`,
    `create table key_counts (
      account_id ${integer} not null, key_id ${text} not null, requests ${integer} not null,
      active_days ${integer} not null, last_used_at ${integer} not null,
      primary key (account_id, key_id)
    )${clustered}`,
    `create table key_days (
      account_id ${integer} not null, key_id ${text} not null, day ${text} not null,
      primary key (account_id, key_id, day)
    )${clustered}`,
    `create table operation_counts (
      account_id ${integer} not null, day ${text} not null, operation ${text} not null, resource ${text} not null,
      requests ${integer} not null, response_us ${integer} not null,
      primary key (account_id, day, operation, resource)
    )${clustered}`,
    `create table month_counts (
      account_id ${integer} not null, month ${text} not null, operations ${integer} not null,
      primary key (account_id, month)
    )${clustered}`,
    `create table idempotency_keys (
      account_id ${integer} not null, key ${text} not null, request_hash ${text} not null, status ${integer} not null,
      headers ${text} not null, body ${text} not null, created_at ${integer} not null,
      primary key (account_id, key)
    )${strict}`,
    `create index idempotency_keys_by_time on idempotency_keys (account_id, created_at)`,
    `create table moves (
      source ${text} primary key, state ${text} not null, began_at ${integer} not null, ended_at ${integer}
    )${strict}`,
    `create table sealed_checks (name ${text} primary key, sealed ${text} not null)${strict}`,
    `create table attempts (key ${text} primary key, clears_at ${integer} not null)${clustered}`,
    `create index attempts_by_end on attempts (clears_at)`,
    `create table leases (name ${text} primary key, holder ${text} not null, expires_at ${integer} not null)${strict}`,
  ],
} as const
