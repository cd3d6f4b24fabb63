import type { Dialect } from '../dialect.ts'

/** Accounts, sign-in and the graph with its change log. */
export const graph = {
  name: '001-graph',
  statements: ({ sql: { integer, text, strict } }: Dialect) => [
    `create table accounts (
      id ${text} primary key, plan ${text} not null, unclaimed ${integer} not null, created_at ${integer} not null
    )${strict}`,
    `create table account_counters (account_id ${text} primary key references accounts (id) on delete cascade, entities ${integer} not null)${strict}`,
    `create table users (
      id ${text} primary key, email ${text} not null unique, password_hash ${text} not null,
      first_name ${text} not null, last_name ${text} not null, personal_key_hash ${text} not null unique,
      personal_key_encrypted ${text} not null, created_at ${integer} not null
    )${strict}`,
    `create table members (
      account_id ${text} not null references accounts (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade,
      role ${text} not null check (role in ('owner', 'member')), created_at ${integer} not null,
      primary key (account_id, user_id)
    )${strict}`,
    `create index members_by_user on members (user_id)`,
    `create table sessions (
      token_hash ${text} primary key, id ${text} not null unique, account_id ${text} not null references accounts (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade, user_agent ${text} not null,
      created_at ${integer} not null, last_seen_at ${integer} not null, expires_at ${integer} not null
    )${strict}`,
    `create index sessions_by_user on sessions (user_id, created_at, id)`,
    `create index sessions_by_end on sessions (expires_at)`,
    `create index sessions_by_account on sessions (account_id)`,
    `create table api_keys (
      account_id ${text} not null references accounts (id) on delete cascade, id ${text} not null, name ${text} not null,
      key_hash ${text} not null unique, preview ${text} not null,
      created_by ${text} not null, created_at ${integer} not null, expires_at ${integer},
      primary key (account_id, id)
    )${strict}`,
    `create table spaces (
      account_id ${text} not null references accounts (id) on delete cascade, id ${text} not null, name ${text} not null,
      created_at ${integer} not null, primary key (account_id, id)
    )${strict}`,
    `create table space_counters (
      account_id ${text} not null, space_id ${text} not null, entities ${integer} not null, relations ${integer} not null,
      observations ${integer} not null, seq ${integer} not null, primary key (account_id, space_id),
      foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
    )${strict}`,
    `create table type_counts (
      account_id ${text} not null, space_id ${text} not null, kind ${text} not null, type ${text} not null, count ${integer} not null,
      primary key (account_id, space_id, kind, type),
      foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
    )${strict}`,
    `create table daily_counts (
      account_id ${text} not null, space_id ${text} not null, day ${text} not null, entities_created ${integer} not null,
      primary key (account_id, space_id, day),
      foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
    )${strict}`,
    `create table entities (
      account_id ${text} not null, space_id ${text} not null, id ${text} not null, name ${text} not null, type ${text} not null,
      metadata ${text} not null, observations_count ${integer} not null, degree ${integer} not null, version ${integer} not null,
      created_at ${integer} not null, updated_at ${integer} not null,
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
    )${strict}`,
    `create unique index entities_by_name on entities (account_id, space_id, name)`,
    `create index entities_by_time on entities (account_id, space_id, created_at, id)`,
    `create index entities_by_type on entities (account_id, space_id, type, created_at, id)`,
    `create index entities_by_degree on entities (account_id, space_id, degree, id)`,
    `create table observations (
      account_id ${text} not null, space_id ${text} not null, id ${text} not null, entity_id ${text} not null,
      content ${text} not null, metadata ${text}, created_at ${integer} not null,
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, entity_id) references entities (account_id, space_id, id) on delete cascade
    )${strict}`,
    `create index observations_by_entity on observations (account_id, space_id, entity_id, id)`,
    `create table relations (
      account_id ${text} not null, space_id ${text} not null, id ${text} not null, from_id ${text} not null, to_id ${text} not null,
      type ${text} not null, created_at ${integer} not null,
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, from_id) references entities (account_id, space_id, id) on delete cascade,
      foreign key (account_id, space_id, to_id) references entities (account_id, space_id, id) on delete cascade
    )${strict}`,
    `create unique index relations_by_ends on relations (account_id, space_id, from_id, to_id, type)`,
    `create index relations_by_source on relations (account_id, space_id, from_id, created_at, id)`,
    `create index relations_by_target on relations (account_id, space_id, to_id, created_at, id)`,
    `create index relations_by_time on relations (account_id, space_id, created_at, id)`,
    `create index relations_by_type on relations (account_id, space_id, type, created_at, id)`,
    `create table changes (
      account_id ${text} not null, space_id ${text} not null, seq ${integer} not null, at ${integer} not null,
      actor ${text} not null, operation ${text} not null, subject_id ${text} not null,
      before ${text}, after ${text},
      primary key (account_id, space_id, seq),
      foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
    )${strict}`,
    `create table idempotency_keys (
      account_id ${text} not null references accounts (id) on delete cascade, key ${text} not null,
      request_hash ${text} not null, status ${integer} not null, headers ${text} not null, body ${text} not null,
      created_at ${integer} not null,
      primary key (account_id, key)
    )${strict}`,
    `create index idempotency_keys_by_time on idempotency_keys (account_id, created_at)`,
  ],
} as const
