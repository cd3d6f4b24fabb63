import type { Dialect } from '../dialect.ts'

const tenant = (integer: string) => `account_id ${integer} not null, space_id ${integer} not null`

/**
 * What was said: conversations, their turns, and the files that they named. Turns are not clustered, since SQLite
 * stores texts of 1 to 4 KB in a clustered table with most of a page left empty. `external` is a hash of the agent's id.
 */
export const conversations = {
  name: '033-conversations',
  statements: ({ sql: { integer, text, strict, clustered, jsonText } }: Dialect) => [
    `create table conversations (
      ${tenant(integer)}, id ${integer} not null, agent ${text} not null, external_id ${text} not null,
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
      ${tenant(integer)}, id ${integer} not null, conversation_id ${integer} not null, seq ${integer} not null,
      external ${text} not null, at ${integer} not null, role ${text} not null, text ${text} not null,
      tool ${text}, files ${text}, cut ${integer},
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id, conversation_id) references conversations (account_id, space_id, id)
    )${strict}`,
    `create unique index turns_by_external on turns (account_id, space_id, conversation_id, external)`,
    `create index turns_by_conversation on turns (account_id, space_id, conversation_id, id)`,
    `create table conversation_files (
      ${tenant(integer)}, conversation_id ${integer} not null, path ${text} not null, name ${text} not null,
      primary key (account_id, space_id, conversation_id, path),
      foreign key (account_id, space_id, conversation_id) references conversations (account_id, space_id, id)
    )${clustered}`,
    `create index conversation_files_by_name on conversation_files (account_id, space_id, name, conversation_id)`,
    `create index observations_by_conversation
      on observations (account_id, space_id, (${jsonText('source', 'conversationId')})) where source is not null`,
    `alter table accounts add column conversation_bytes ${integer} not null default 0`,
  ],
} as const
