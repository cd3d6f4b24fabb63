import type { Migration } from '../migration.ts'

/** Finds the conversations in which a tool failed, and the open proposals that each led to. */
export const conversationsOnly: Migration = {
  name: '060-conversations-only',
  statements: ({ sql: { integer } }) => [
    `create index turns_failed on turns (account_id, space_id, conversation_id)
      where tool like '%"ok":false%' or (tool like '%"exitCode":%' and tool not like '%"exitCode":0%')`,
    `alter table proposals add column conversation_id ${integer}`,
    `create index proposals_by_conversation on proposals (account_id, space_id, conversation_id)
      where status = 0 and conversation_id is not null`,
  ],
}
