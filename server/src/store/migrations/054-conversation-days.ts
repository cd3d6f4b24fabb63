import type { Dialect } from '../dialect.ts'

/** How long conversations of a space are kept, where somebody has limited it. */
export const conversationDays = {
  name: '054-conversation-days',
  statements: ({ sql: { integer } }: Dialect) => [
    `alter table spaces add column conversation_days ${integer}`,
    `create index spaces_by_conversation_days on spaces (account_id, space_id) where conversation_days is not null`,
  ],
} as const
