import type { Migration } from '../migration.ts'

/**
 * What was said: conversations, their turns, the files that they named, and sentences that look worth remembering. Turns
 * are not clustered, since SQLite stores texts of 1 to 4 KB in a clustered table with most of a page left empty. `external`
 * is a hash of the agent's id. The postings, words and further passages of turns lie in the tables of the graph's index,
 * under the negated number of the space; `turn_indexes` has their statistics.
 */
export const conversations: Migration = {
  name: '105-conversations',
  statements: ({ sql: { integer, text, strict, clustered, ofSpace } }) => [
    `create table conversations (
      ${ofSpace}, id ${integer} not null, agent ${text} not null, external_id ${text} not null,
      project ${text}, project_path ${text}, repository ${text}, branch ${text}, title ${text} not null,
      started_at ${integer} not null, ended_at ${integer} not null, turns ${integer} not null, bytes ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index conversations_by_external on conversations (account_id, space_id, agent, external_id)`,
    `create index conversations_by_end on conversations (account_id, space_id, ended_at, id)`,
    `create index conversations_by_agent on conversations (account_id, space_id, agent, ended_at, id)`,
    `create index conversations_by_project on conversations (account_id, space_id, project, ended_at, id)`,
    `create index conversations_by_age on conversations (ended_at)`,
    `create table turns (
      ${ofSpace}, id ${integer} not null, conversation_id ${integer} not null, seq ${integer} not null,
      external ${text} not null, at ${integer} not null, role ${text} not null, text ${text} not null,
      tool ${text}, files ${text}, cut ${integer},
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, conversation_id) references conversations (account_id, space_id, id)
    )${strict}`,
    `create unique index turns_by_external on turns (account_id, space_id, conversation_id, external)`,
    `create index turns_by_conversation on turns (account_id, space_id, conversation_id, id)`,
    `create index turns_failed on turns (account_id, space_id, conversation_id)
      where tool like '%"ok":false%' or (tool like '%"exitCode":%' and tool not like '%"exitCode":0%')`,
    `create table conversation_files (
      ${ofSpace}, conversation_id ${integer} not null, path ${text} not null, name ${text} not null,
      primary key (account_id, space_id, conversation_id, path),
      foreign key (account_id, space_id, conversation_id) references conversations (account_id, space_id, id)
    )${clustered}`,
    `create index conversation_files_by_name on conversation_files (account_id, space_id, name, conversation_id)`,
    `create table turn_indexes (
      ${ofSpace}, indexed ${integer} not null,
      passages ${integer} not null, length ${integer} not null, index_version ${integer} not null,
      renewed_to ${integer}, renewing_to ${integer},
      primary key (account_id, space_id)
    )${clustered}`,
    `create table drafts (
      ${ofSpace}, id ${integer} not null,
      conversation_id ${integer} not null, turn_id ${integer} not null, kind ${text} not null, content ${text} not null,
      content_hash ${text} not null, at ${integer} not null, status ${text} not null, decided_at ${integer},
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index drafts_by_content on drafts (account_id, space_id, content_hash)`,
    `create index drafts_by_status on drafts (account_id, space_id, status, at, id)`,
    `create index drafts_by_conversation on drafts (account_id, space_id, conversation_id)`,
  ],
}
