import type { Dialect } from '../dialect.ts'

/** The audit log of an account, and the account's name. */
export const audit = {
  name: '016-audit',
  statements: ({ sql: { integer, text, clustered } }: Dialect): readonly string[] => [
    `create table audit_events (
      account_id ${integer} not null, id ${text} not null, at ${integer} not null,
      action ${text} not null, category ${text} not null,
      actor_kind ${text} not null, user_id ${text}, user_name ${text} not null,
      credential_id ${text}, credential_name ${text} not null, client ${text}, address ${text},
      subject_kind ${text}, subject_id ${text}, subject_name ${text} not null, details ${text} not null,
      primary key (account_id, id)
    )${clustered}`,
    `create index audit_events_by_category on audit_events (account_id, category, id)`,
    `create index audit_events_by_user on audit_events (account_id, user_id, id)`,
    `create index audit_events_by_time on audit_events (at)`,
    `alter table accounts add column name ${text}`,
  ],
}
