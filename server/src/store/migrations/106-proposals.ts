import type { Migration } from '../migration.ts'

/** Changes that wait for a review, and rules by which some are accepted at once. */
export const proposals: Migration = {
  name: '106-proposals',
  statements: ({ sql: { integer, text, clustered, ofSpace } }) => [
    `create table proposals (
      ${ofSpace}, id ${integer} not null,
      status ${integer} not null, at ${integer} not null, actor_id ${integer} not null,
      kind ${text} not null, ref ${text} not null, user_id ${text} not null, tool ${text},
      base_seq ${integer} not null, steps ${text} not null, steps_count ${integer} not null, rests_on ${text},
      note ${text}, decided_at ${integer}, decided_by ${integer}, set_seq ${integer},
      news_id ${integer}, conversation_id ${integer},
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create index proposals_by_status on proposals (account_id, space_id, status, id)`,
    `create index proposals_by_ref on proposals (account_id, space_id, ref, status, id)`,
    `create index proposals_by_user on proposals (account_id, space_id, user_id, status, id)`,
    `create index proposals_by_decision on proposals (decided_at) where decided_at is not null`,
    `create index proposals_by_news on proposals (account_id, space_id, news_id) where news_id is not null`,
    `create index proposals_by_conversation on proposals (account_id, space_id, conversation_id)
      where status = 0 and conversation_id is not null`,
    `create table proposal_subjects (
      ${ofSpace}, subject_id ${integer} not null,
      status ${integer} not null, proposal_id ${integer} not null, is_new ${integer} not null, name ${text},
      primary key (account_id, space_id, subject_id, status, proposal_id)
    )${clustered}`,
    `create index proposal_subjects_by_name on proposal_subjects (account_id, space_id, name, proposal_id)
      where name is not null`,
    `create index proposal_subjects_by_proposal on proposal_subjects (account_id, space_id, proposal_id)`,
    `create table accept_rules (
      ${ofSpace}, id ${text} not null,
      kind ${text} not null, ref ${text} not null, actor_id ${integer} not null, type ${text} not null,
      created_by ${text} not null, created_at ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index accept_rules_by_proposer on accept_rules (account_id, space_id, kind, ref, type)`,
  ],
}
