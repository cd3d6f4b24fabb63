import type { Migration } from '../migration.ts'

/**
 * Spaces, each a graph with its current rows, past rows and change log. One counter per account (`accounts.next_id`)
 * numbers entities, observations, relations, words and further passages. A current row is valid from the change
 * `since` on; a past row was valid while `since <= seq < until`. The history of an entity is read in the order of changes:
 * from an index for its observations, which are many; for its relations and for past versions, sorted from indexes that
 * contain the numbers of changes.
 */
export const graph: Migration = {
  name: '103-graph',
  statements: ({ sql: { integer, text, strict, clustered, folded, jsonText, ofSpace } }) => [
    `create table spaces (
      ${ofSpace}, name ${text} not null, created_at ${integer} not null,
      entities ${integer} not null, relations ${integer} not null, observations ${integer} not null,
      seq ${integer} not null, written_at ${integer} not null default 0, history_from ${integer} not null default 0,
      passages ${integer} not null default 0, length ${integer} not null default 0,
      indexed ${integer} not null default 0, index_version ${integer} not null,
      renewed_to ${integer}, renewing_to ${integer},
      deleted_at ${integer}, agent_seen_at ${integer}, writes ${text}, auto_accept_days ${integer},
      reviewers ${text}, keeps_recalls ${integer} not null default 1, counts_told_since ${integer},
      news ${integer} not null default 0, conversation_days ${integer},
      primary key (account_id, space_id)
    )${clustered}`,
    `create unique index spaces_by_name on spaces (account_id, name)`,
    `create index spaces_by_version on spaces (index_version)`,
    `create index spaces_by_deletion on spaces (deleted_at, account_id, space_id) where deleted_at is not null`,
    `create index spaces_by_auto_accept on spaces (account_id, space_id) where auto_accept_days is not null`,
    `create index spaces_by_conversation_days on spaces (account_id, space_id) where conversation_days is not null`,
    `create table actors (
      account_id ${integer} not null, actor_id ${integer} not null, kind ${text} not null, ref ${text} not null,
      name ${text} not null, client ${text} not null,
      primary key (account_id, actor_id)
    )${clustered}`,
    `create unique index actors_by_ref on actors (account_id, kind, ref, client)`,
    `create table type_counts (
      ${ofSpace}, kind ${text} not null, type ${text} not null, count ${integer} not null,
      colour ${integer},
      primary key (account_id, space_id, kind, type)
    )${clustered}`,
    `create index type_counts_by_colour on type_counts (account_id, space_id, kind, colour)`,
    `create table daily_counts (
      ${ofSpace}, day ${text} not null, entities_created ${integer} not null,
      relations_created ${integer} not null default 0, observations_created ${integer} not null default 0,
      primary key (account_id, space_id, day)
    )${clustered}`,
    `create table entities (
      ${ofSpace}, id ${integer} not null, name ${text} not null, type ${text} not null, metadata ${text} not null,
      aliases ${text}, observations_count ${integer} not null, degree ${integer} not null, version ${integer} not null,
      created_at ${integer} not null, updated_at ${integer} not null, since ${integer} not null,
      since_observations ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index entities_by_name on entities (account_id, space_id, name)`,
    `create index entities_by_time on entities (account_id, space_id, created_at, id)`,
    `create index entities_by_type on entities (account_id, space_id, type, created_at, id)`,
    `create index entities_by_degree on entities (account_id, space_id, degree, id)`,
    `create index entities_by_change on entities (account_id, space_id, updated_at, id)`,
    `create index entities_by_facts on entities (account_id, space_id, observations_count, id)`,
    `create index entities_by_folded_name on entities (account_id, space_id, (${folded('name')}), id)`,
    `create table aliases (
      ${ofSpace}, name ${text} not null, entity_id ${integer} not null,
      primary key (account_id, space_id, name)
    )${clustered}`,
    `create table observations (
      ${ofSpace}, id ${integer} not null, entity_id ${integer} not null, content ${text} not null,
      content_hash ${integer} not null, metadata ${text}, created_at ${integer} not null, updated_at ${integer},
      since ${integer} not null,
      true_from ${text}, true_until ${text}, expires_at ${integer}, replaces ${text}, replaced_by ${integer},
      files ${text}, source ${text}, stale ${text}, cited_repository ${text}, until_before ${text},
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, entity_id) references entities (account_id, space_id, id)
    )${clustered}`,
    `create index observations_by_entity on observations (account_id, space_id, entity_id, id)`,
    `create index observations_by_time on observations (account_id, space_id, created_at)`,
    `create index observations_by_content on observations (account_id, space_id, entity_id, content_hash)`,
    `create index observations_by_change on observations (account_id, space_id, entity_id, since)`,
    `create index observations_by_truth on observations (account_id, space_id, true_from) where true_from is not null`,
    `create index observations_by_expiry on observations (expires_at) where expires_at is not null`,
    `create index observations_by_conversation
      on observations (account_id, space_id, (${jsonText('source', 'conversationId')})) where source is not null`,
    `create index observations_by_repository on observations (account_id, space_id, cited_repository, id)
      where cited_repository is not null`,
    `create index observations_by_staleness on observations (account_id, space_id, id) where stale is not null`,
    `create table relations (
      ${ofSpace}, id ${integer} not null, from_id ${integer} not null, to_id ${integer} not null,
      type ${text} not null, created_at ${integer} not null, since ${integer} not null,
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, from_id) references entities (account_id, space_id, id),
      foreign key (account_id, space_id, to_id) references entities (account_id, space_id, id)
    )${clustered}`,
    `create unique index relations_by_ends on relations (account_id, space_id, from_id, to_id, type)`,
    `create index relations_by_time on relations (account_id, space_id, created_at, id)`,
    `create index relations_by_type on relations (account_id, space_id, type, created_at, id)`,
    `create index relations_by_source_type on relations (account_id, space_id, from_id, type, created_at)`,
    `create index relations_by_target_type on relations (account_id, space_id, to_id, type, created_at)`,
    `create index relations_by_source on relations (account_id, space_id, from_id, created_at, id, since)`,
    `create index relations_by_target on relations (account_id, space_id, to_id, created_at, id, since)`,
    `create table past_entities (
      ${ofSpace}, id ${integer} not null, since ${integer} not null, until ${integer} not null,
      name ${text} not null, type ${text} not null, metadata ${text} not null, aliases ${text},
      observations_count ${integer} not null, degree ${integer} not null, version ${integer} not null,
      created_at ${integer} not null, updated_at ${integer} not null, since_observations ${integer} not null,
      primary key (account_id, space_id, id, since)
    )${clustered}`,
    `create index past_entities_by_time on past_entities (account_id, space_id, created_at, id)`,
    `create index past_entities_by_name on past_entities (account_id, space_id, name)`,
    `create index past_entities_by_end on past_entities (account_id, space_id, until)`,
    `create table past_observations (
      ${ofSpace}, id ${integer} not null, since ${integer} not null, until ${integer} not null,
      entity_id ${integer} not null, content ${text} not null, content_hash ${integer} not null, metadata ${text},
      created_at ${integer} not null, updated_at ${integer},
      true_from ${text}, true_until ${text}, expires_at ${integer}, replaces ${text}, replaced_by ${integer},
      files ${text}, source ${text}, stale ${text}, cited_repository ${text}, until_before ${text},
      primary key (account_id, space_id, id, since)
    )${clustered}`,
    `create index past_observations_by_end on past_observations (account_id, space_id, until)`,
    `create index past_observations_by_entity on past_observations
      (account_id, space_id, entity_id, id, since, until)`,
    `create table past_relations (
      ${ofSpace}, id ${integer} not null, since ${integer} not null, until ${integer} not null,
      from_id ${integer} not null, to_id ${integer} not null, type ${text} not null, created_at ${integer} not null,
      primary key (account_id, space_id, id, since)
    )${clustered}`,
    `create index past_relations_by_time on past_relations (account_id, space_id, created_at, id)`,
    `create index past_relations_by_end on past_relations (account_id, space_id, until)`,
    `create index past_relations_by_source on past_relations
      (account_id, space_id, from_id, created_at, id, since, until)`,
    `create index past_relations_by_target on past_relations
      (account_id, space_id, to_id, created_at, id, since, until)`,
    `create table change_sets (
      ${ofSpace}, seq ${integer} not null, at ${integer} not null, actor_id ${integer} not null,
      tool ${text}, behalf_id ${integer},
      primary key (account_id, space_id, seq)
    )${clustered}`,
    `create table changes (
      ${ofSpace}, seq ${integer} not null, set_seq ${integer} not null, operation ${integer} not null,
      subject_id ${integer} not null,
      primary key (account_id, space_id, seq)
    )${clustered}`,
    `create table imports (
      ${ofSpace}, id ${text} not null, digest ${text} not null, format ${text} not null, bytes ${integer} not null,
      runner ${text} not null, progress ${text} not null, created_at ${integer} not null, updated_at ${integer} not null,
      primary key (account_id, space_id, id)
    )${strict}`,
    `create unique index imports_by_digest on imports (account_id, space_id, digest)`,
  ],
}
