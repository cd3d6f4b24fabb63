import type { Dialect } from '../dialect.ts'

/** Which facts recall has told at all, in spaces where somebody has switched this on. */
export const toldFacts = {
  name: '044-told-facts',
  statements: ({ sql: { integer, clustered } }: Dialect) => [
    `alter table spaces add column counts_told_since ${integer}`,
    `create table told_facts (
      account_id ${integer} not null, space_id ${integer} not null, observation_id ${integer} not null,
      times ${integer} not null,
      primary key (account_id, space_id, observation_id)
    )${clustered}`,
  ],
} as const
