import type { Migration } from '../migration.ts'

/**
 * Accounts, people and credentials, and what belongs to a server. The account's number leads each key of each table that
 * belongs to an account. People belong to none; `credentials` finds everything that is looked up by a secret.
 */
export const accounts: Migration = {
  name: '101-accounts',
  statements: ({ sql: { integer, text, strict, clustered, numbered } }) => [
    `create table accounts (
      account_id ${numbered}, id ${text} not null, plan ${text} not null, unclaimed ${integer} not null, local ${integer} not null,
      created_at ${integer} not null, deleted_at ${integer}, next_id ${integer} not null,
      next_space_id ${integer} not null, next_actor_id ${integer} not null, revocations ${integer} not null,
      entities ${integer} not null, bytes ${integer} not null,
      second_factor_required ${integer} not null default 0, name ${text},
      conversation_bytes ${integer} not null default 0
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
      personal_key_encrypted ${text} not null, created_at ${integer} not null,
      email_verified_at ${integer}, second_factor_at ${integer}, totp_secret ${text}, totp_since ${integer},
      totp_step ${integer}, place_account_id ${integer}, place_space_id ${integer},
      account_ids ${text} not null default '[]'
    )${strict}`,
    `create table members (
      account_id ${integer} not null, user_id ${text} not null,
      role ${text} not null check (role in ('owner', 'admin', 'member', 'viewer')), created_at ${integer} not null,
      suspended_at ${integer},
      primary key (account_id, user_id)
    )${clustered}`,
    `create table invitations (
      account_id ${integer} not null, id ${text} not null, email ${text} not null,
      role ${text} not null check (role in ('owner', 'admin', 'member', 'viewer')),
      token_hash ${text} not null, invited_by ${text} not null, created_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (account_id, id)
    )${clustered}`,
    `create table sessions (
      account_id ${integer} not null, id ${text} not null, token_hash ${text} not null, user_id ${text} not null,
      user_agent ${text} not null, created_at ${integer} not null, last_seen_at ${integer} not null,
      expires_at ${integer} not null,
      network ${text},
      primary key (account_id, id)
    )${clustered}`,
    `create index sessions_by_user on sessions (account_id, user_id, created_at, id)`,
    `create table recovery_codes (
      user_id ${text} not null, hash ${text} not null,
      primary key (user_id, hash)
    )${clustered}`,
    `create table passkeys (
      user_id ${text} not null, id ${text} not null, credential_id ${text} not null unique, name ${text} not null,
      public_key ${text} not null, counter ${integer} not null, transports ${text} not null,
      backed_up ${integer} not null, created_at ${integer} not null, last_used_at ${integer},
      primary key (user_id, id)
    )${clustered}`,
    `create table used_challenges (
      hash ${text} not null primary key, expires_at ${integer} not null
    )${clustered}`,
    `create index used_challenges_by_end on used_challenges (expires_at)`,
    `create table attempts (key ${text} primary key, clears_at ${integer} not null)${clustered}`,
    `create index attempts_by_end on attempts (clears_at)`,
    `create table api_keys (
      account_id ${integer} not null, id ${text} not null, name ${text} not null, key_hash ${text} not null,
      preview ${text} not null, created_by ${text} not null, created_at ${integer} not null, expires_at ${integer},
      rolled_at ${integer},
      permissions ${text}, spaces ${text}, writes ${text}, doors ${text},
      primary key (account_id, id)
    )${clustered}`,
    `create table key_counts (
      account_id ${integer} not null, key_id ${text} not null, requests ${integer} not null,
      active_days ${integer} not null, last_used_at ${integer} not null,
      last_operation ${text}, last_resource ${text},
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
      space_id ${integer} not null default 1,
      primary key (account_id, key)
    )${strict}`,
    `create index idempotency_keys_by_time on idempotency_keys (account_id, created_at)`,
    `create table audit_events (
      account_id ${integer} not null, id ${text} not null, at ${integer} not null,
      action ${text} not null, category ${text} not null,
      actor_kind ${text} not null, user_id ${text}, user_name ${text} not null,
      credential_id ${text}, credential_name ${text} not null, client ${text}, address ${text},
      subject_kind ${text}, subject_id ${text}, subject_name ${text} not null, details ${text} not null,
      primary key (account_id, id)
    )${clustered}`,
    `create index audit_events_by_category on audit_events (account_id, category, id)`,
    `create index audit_events_by_user on audit_events (account_id, user_id, id)`,
    `create index audit_events_by_time on audit_events (at)`,
    `create table mails (
      account_id ${integer} not null, id ${text} not null,
      recipient ${text} not null, content ${text}, created_at ${integer} not null, expires_at ${integer},
      tries ${integer} not null, next_try_at ${integer}, sent_at ${integer}, failure ${text},
      primary key (account_id, id)
    )${clustered}`,
    `create index mails_by_next_try on mails (next_try_at)`,
    `create index mails_by_time on mails (created_at)`,
    `create table moves (
      source ${text} primary key, state ${text} not null, began_at ${integer} not null, ended_at ${integer}
    )${strict}`,
    `create table sealed_checks (name ${text} primary key, sealed ${text} not null)${strict}`,
    `create table leases (name ${text} primary key, holder ${text} not null, expires_at ${integer} not null)${strict}`,
  ],
}
