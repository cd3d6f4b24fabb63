import type { Dialect } from '../dialect.ts'

/** Sentences of conversations that look worth remembering. */
export const drafts = {
  name: '036-drafts',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `create table drafts (
      account_id ${integer} not null, space_id ${integer} not null, id ${integer} not null,
      conversation_id ${integer} not null, turn_id ${integer} not null, kind ${text} not null, content ${text} not null,
      content_hash ${text} not null, at ${integer} not null, status ${text} not null, decided_at ${integer},
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index drafts_by_content on drafts (account_id, space_id, content_hash)`,
    `create index drafts_by_status on drafts (account_id, space_id, status, at, id)`,
    `create index drafts_by_conversation on drafts (account_id, space_id, conversation_id)`,
  ],
} as const
