import type { Dialect } from '../dialect.ts'

/** Pairs of entities that were proposed as duplicates and rejected. */
export const duplicates = {
  name: '017-duplicates',
  statements: ({ sql: { integer, clustered } }: Dialect) => [
    `create table dismissed_duplicates (
      account_id ${integer} not null, space_id ${integer} not null, first_id ${integer} not null,
      second_id ${integer} not null, dismissed_at ${integer} not null,
      primary key (account_id, space_id, first_id, second_id)
    )${clustered}`,
  ],
} as const
