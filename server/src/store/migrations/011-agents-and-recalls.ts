import type { Dialect } from '../dialect.ts'

/** Agents that call over MCP, the last recall of each space, and daily counts of created relations and observations. */
export const agentsAndRecalls = {
  name: '011-agents-and-recalls',
  statements: ({ sql: { integer, text, clustered } }: Dialect): readonly string[] => [
    `create table agents (
      account_id ${integer} not null, name ${text} not null, first_seen_at ${integer} not null,
      last_seen_at ${integer} not null, calls ${integer} not null, day ${text} not null,
      day_calls ${integer} not null,
      primary key (account_id, name)
    )${clustered}`,
    `create table recalls (
      account_id ${integer} not null, space_id ${integer} not null, at ${integer} not null, agent ${text},
      question ${text} not null, observations ${integer} not null, entities ${text} not null,
      primary key (account_id, space_id)
    )${clustered}`,
    `alter table daily_counts add column relations_created ${integer} not null default 0`,
    `alter table daily_counts add column observations_created ${integer} not null default 0`,
  ],
}
