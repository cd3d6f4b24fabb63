import type { Migration } from '../migration.ts'

/**
 * Who called and recalled in each space and which facts were told, how far each person has read what happened and who is
 * mailed it each week, and findings that somebody left as they are.
 */
export const recalls: Migration = {
  name: '107-recalls',
  statements: ({ sql: { integer, text, clustered, ofSpace } }) => [
    `create table agents (
      account_id ${integer} not null, name ${text} not null, first_seen_at ${integer} not null,
      last_seen_at ${integer} not null, calls ${integer} not null, day ${text} not null,
      day_calls ${integer} not null,
      primary key (account_id, name)
    )${clustered}`,
    `create table door_calls (
      ${ofSpace}, credential ${text} not null,
      at ${integer} not null, what ${text} not null, is_refused ${integer} not null,
      primary key (account_id, space_id, credential)
    )${clustered}`,
    `create index door_calls_by_credential on door_calls (account_id, credential)`,
    `create table recalls (
      ${ofSpace}, id ${text} not null, at ${integer} not null,
      actor_kind ${text} not null, actor_ref ${text} not null, user_id ${text} not null, client ${text},
      question ${text} not null, asked ${text} not null, understood ${text} not null, found ${integer} not null,
      rows_told ${text} not null, rows_missed ${text} not null, entities ${text} not null,
      tokens ${integer} not null, tokens_max ${integer} not null, ms ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create index recalls_by_answer on recalls (account_id, space_id, found, id)`,
    `create index recalls_by_question on recalls (account_id, space_id, asked, id)`,
    `create table told_facts (
      ${ofSpace}, observation_id ${integer} not null,
      times ${integer} not null,
      primary key (account_id, space_id, observation_id)
    )${clustered}`,
    `create table brief_marks (
      ${ofSpace}, user_id ${text} not null,
      seq ${integer} not null, at ${integer} not null, read_seqs ${text} not null,
      primary key (account_id, space_id, user_id)
    )${clustered}`,
    `create table brief_mails (
      ${ofSpace}, user_id ${text} not null,
      next_at ${integer} not null, seq ${integer} not null, at ${integer} not null,
      tells_news ${integer} not null default 1, tells_waiting ${integer} not null default 0,
      primary key (account_id, space_id, user_id)
    )${clustered}`,
    `create index brief_mails_by_time on brief_mails (next_at)`,
    `create table dismissed_duplicates (
      ${ofSpace}, first_id ${integer} not null,
      second_id ${integer} not null, dismissed_at ${integer} not null,
      primary key (account_id, space_id, first_id, second_id)
    )${clustered}`,
    `create table dismissed_health (
      ${ofSpace}, item_id ${text} not null,
      dismissed_at ${integer} not null,
      primary key (account_id, space_id, item_id)
    )${clustered}`,
  ],
}
