import type { Dialect } from '../dialect.ts'

/** The order in which proposals were decided on, and rules by which they are accepted at once. */
export const reviewing = {
  name: '043-reviewing',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `alter table proposals add column news_id ${integer}`,
    `create index proposals_by_news on proposals (account_id, space_id, news_id) where news_id is not null`,
    `create table accept_rules (
      account_id ${integer} not null, space_id ${integer} not null, id ${text} not null,
      kind ${text} not null, ref ${text} not null, actor_id ${integer} not null, type ${text} not null,
      created_by ${text} not null, created_at ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index accept_rules_by_proposer on accept_rules (account_id, space_id, kind, ref, type)`,
  ],
} as const
