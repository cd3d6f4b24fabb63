import type { Dialect } from '../dialect.ts'

/** Changes that wait for a review, whose writes have to wait, and on whose behalf changes were made. */
export const proposals = {
  name: '037-proposals',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `alter table api_keys add column writes ${text}`,
    `alter table oauth_grants add column writes ${text}`,
    `alter table spaces add column writes ${text}`,
    `alter table spaces add column auto_accept_days ${integer}`,
    `alter table spaces add column reviewers ${text}`,
    `create index spaces_by_auto_accept on spaces (account_id, space_id) where auto_accept_days is not null`,
    `alter table change_sets add column behalf_id ${integer}`,
    `create table proposals (
      account_id ${integer} not null, space_id ${integer} not null, id ${integer} not null,
      status ${integer} not null, at ${integer} not null, actor_id ${integer} not null,
      kind ${text} not null, ref ${text} not null, user_id ${text} not null, tool ${text},
      base_seq ${integer} not null, steps ${text} not null, steps_count ${integer} not null, rests_on ${text},
      note ${text}, decided_at ${integer}, decided_by ${integer}, set_seq ${integer},
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create index proposals_by_status on proposals (account_id, space_id, status, id)`,
    `create index proposals_by_ref on proposals (account_id, space_id, ref, status, id)`,
    `create index proposals_by_user on proposals (account_id, space_id, user_id, status, id)`,
    `create index proposals_by_decision on proposals (decided_at) where decided_at is not null`,
    `create table proposal_subjects (
      account_id ${integer} not null, space_id ${integer} not null, subject_id ${integer} not null,
      status ${integer} not null, proposal_id ${integer} not null, is_new ${integer} not null, name ${text},
      primary key (account_id, space_id, subject_id, status, proposal_id)
    )${clustered}`,
    `create index proposal_subjects_by_name on proposal_subjects (account_id, space_id, name, proposal_id)
      where name is not null`,
    `create index proposal_subjects_by_proposal on proposal_subjects (account_id, space_id, proposal_id)`,
  ],
} as const
