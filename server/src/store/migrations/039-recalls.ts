import type { Dialect } from '../dialect.ts'

/**
 * Keeps each recall of a space instead of the last one, and a switch per space. The last one stays as the first that is
 * kept: it has entities, but no rows, since they were not stored. And how far each person has read what happened.
 */
export const recalls = {
  name: '039-recalls',
  statements: ({ sql: { integer, text, clustered } }: Dialect): readonly string[] => [
    `create table brief_marks (
      account_id ${integer} not null, space_id ${integer} not null, user_id ${text} not null,
      seq ${integer} not null, at ${integer} not null, read_seqs ${text} not null,
      primary key (account_id, space_id, user_id)
    )${clustered}`,
    'alter table recalls rename to last_recalls',
    `create table recalls (
      account_id ${integer} not null, space_id ${integer} not null, id ${text} not null, at ${integer} not null,
      actor_kind ${text} not null, actor_ref ${text} not null, user_id ${text} not null, client ${text},
      question ${text} not null, asked ${text} not null, understood ${text} not null, found ${integer} not null,
      rows_told ${text} not null, rows_missed ${text} not null, entities ${text} not null,
      tokens ${integer} not null, tokens_max ${integer} not null, ms ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    'create index recalls_by_answer on recalls (account_id, space_id, found, id)',
    'create index recalls_by_question on recalls (account_id, space_id, asked, id)',
    `insert into recalls (account_id, space_id, id, at, actor_kind, actor_ref, user_id, client, question, asked,
        understood, found, rows_told, rows_missed, entities, tokens, tokens_max, ms)
      select account_id, space_id, 'rcl_0', at, 'local', '', '', agent, question, lower(question),
        '{}', 1, '[]', '[]', entities, 0, 0, 0
      from last_recalls`,
    'drop table last_recalls',
    `alter table spaces add column keeps_recalls ${integer} not null default 1`,
  ],
}
