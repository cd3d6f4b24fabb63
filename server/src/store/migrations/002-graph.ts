import type { Dialect } from '../dialect.ts'

const tenant = (integer: string) => `account_id ${integer} not null, space_id ${integer} not null`

/**
 * Spaces, each a graph with its current rows, past rows and change log. One counter per account (`accounts.next_id`)
 * numbers entities, observations, relations, words and further passages. A current row is valid from the change
 * `since` on; a past row was valid while `since <= seq < until`.
 */
export const graph = {
  name: '002-graph',
  statements: ({ sql: { integer, text, strict, clustered } }: Dialect) => [
    `create table spaces (
      ${tenant(integer)}, name ${text} not null, created_at ${integer} not null,
      entities ${integer} not null, relations ${integer} not null, observations ${integer} not null,
      seq ${integer} not null, written_at ${integer} not null default 0, history_from ${integer} not null default 0,
      passages ${integer} not null default 0, length ${integer} not null default 0,
      indexed ${integer} not null default 0, index_version ${integer} not null,
      renewed_to ${integer}, renewing_to ${integer},
      primary key (account_id, space_id)
    )${clustered}`,
    `create unique index spaces_by_name on spaces (account_id, name)`,
    `create index spaces_by_version on spaces (index_version)`,
    `create table actors (
      account_id ${integer} not null, actor_id ${integer} not null, kind ${text} not null, ref ${text} not null,
      name ${text} not null, client ${text} not null,
      primary key (account_id, actor_id)
    )${clustered}`,
    `create unique index actors_by_ref on actors (account_id, kind, ref, client)`,
    `create table type_counts (
      ${tenant(integer)}, kind ${text} not null, type ${text} not null, count ${integer} not null,
      primary key (account_id, space_id, kind, type)
    )${clustered}`,
    `create table daily_counts (
      ${tenant(integer)}, day ${text} not null, entities_created ${integer} not null,
      primary key (account_id, space_id, day)
    )${clustered}`,
    `create table entities (
      ${tenant(integer)}, id ${integer} not null, name ${text} not null, type ${text} not null, metadata ${text} not null,
      aliases ${text}, observations_count ${integer} not null, degree ${integer} not null, version ${integer} not null,
      created_at ${integer} not null, updated_at ${integer} not null, since ${integer} not null,
      since_observations ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index entities_by_name on entities (account_id, space_id, name)`,
    `create index entities_by_time on entities (account_id, space_id, created_at, id)`,
    `create index entities_by_type on entities (account_id, space_id, type, created_at, id)`,
    `create index entities_by_degree on entities (account_id, space_id, degree, id)`,
    `create table aliases (
      ${tenant(integer)}, name ${text} not null, entity_id ${integer} not null,
      primary key (account_id, space_id, name)
    )${clustered}`,
    `create table observations (
      ${tenant(integer)}, id ${integer} not null, entity_id ${integer} not null, content ${text} not null,
      content_hash ${integer} not null, metadata ${text}, created_at ${integer} not null, updated_at ${integer},
      since ${integer} not null,
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, entity_id) references entities (account_id, space_id, id)
    )${clustered}`,
    `create index observations_by_entity on observations (account_id, space_id, entity_id, id)`,
    `create index observations_by_time on observations (account_id, space_id, created_at)`,
    `create index observations_by_content on observations (account_id, space_id, entity_id, content_hash)`,
    `create table relations (
      ${tenant(integer)}, id ${integer} not null, from_id ${integer} not null, to_id ${integer} not null,
      type ${text} not null, created_at ${integer} not null, since ${integer} not null,
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, from_id) references entities (account_id, space_id, id),
      foreign key (account_id, space_id, to_id) references entities (account_id, space_id, id)
    )${clustered}`,
    `create unique index relations_by_ends on relations (account_id, space_id, from_id, to_id, type)`,
    `create index relations_by_source on relations (account_id, space_id, from_id, created_at, id)`,
    `create index relations_by_target on relations (account_id, space_id, to_id, created_at, id)`,
    `create index relations_by_time on relations (account_id, space_id, created_at, id)`,
    `create index relations_by_type on relations (account_id, space_id, type, created_at, id)`,
    `create index relations_by_source_type on relations (account_id, space_id, from_id, type, created_at)`,
    `create index relations_by_target_type on relations (account_id, space_id, to_id, type, created_at)`,
    `create table past_entities (
      ${tenant(integer)}, id ${integer} not null, since ${integer} not null, until ${integer} not null,
      name ${text} not null, type ${text} not null, metadata ${text} not null, aliases ${text},
      observations_count ${integer} not null, degree ${integer} not null, version ${integer} not null,
      created_at ${integer} not null, updated_at ${integer} not null, since_observations ${integer} not null,
      primary key (account_id, space_id, id, since)
    )${clustered}`,
    `create index past_entities_by_time on past_entities (account_id, space_id, created_at, id)`,
    `create index past_entities_by_name on past_entities (account_id, space_id, name)`,
    `create table past_observations (
      ${tenant(integer)}, id ${integer} not null, since ${integer} not null, until ${integer} not null,
      entity_id ${integer} not null, content ${text} not null, content_hash ${integer} not null, metadata ${text},
      created_at ${integer} not null, updated_at ${integer},
      primary key (account_id, space_id, id, since)
    )${clustered}`,
    `create index past_observations_by_entity on past_observations (account_id, space_id, entity_id, id)`,
    `create table past_relations (
      ${tenant(integer)}, id ${integer} not null, since ${integer} not null, until ${integer} not null,
      from_id ${integer} not null, to_id ${integer} not null, type ${text} not null, created_at ${integer} not null,
      primary key (account_id, space_id, id, since)
    )${clustered}`,
    `create index past_relations_by_source on past_relations (account_id, space_id, from_id, created_at, id)`,
    `create index past_relations_by_target on past_relations (account_id, space_id, to_id, created_at, id)`,
    `create index past_relations_by_time on past_relations (account_id, space_id, created_at, id)`,
    ...['past_entities', 'past_observations', 'past_relations'].map(
      (table) => `create index ${table}_by_end on ${table} (account_id, space_id, until)`,
    ),
    `create table change_sets (
      ${tenant(integer)}, seq ${integer} not null, at ${integer} not null, actor_id ${integer} not null,
      primary key (account_id, space_id, seq)
    )${clustered}`,
    `create table changes (
      ${tenant(integer)}, seq ${integer} not null, set_seq ${integer} not null, operation ${integer} not null,
      subject_id ${integer} not null,
      primary key (account_id, space_id, seq)
    )${clustered}`,
    `create table imports (
      ${tenant(integer)}, id ${text} not null, digest ${text} not null, format ${text} not null, bytes ${integer} not null,
      runner ${text} not null, progress ${text} not null, created_at ${integer} not null, updated_at ${integer} not null,
      primary key (account_id, space_id, id)
    )${strict}`,
    `create unique index imports_by_digest on imports (account_id, space_id, digest)`,
  ],
} as const
