import type { Dialect } from '../dialect.ts'

/**
 * Statistics of the index of a space's turns. Its postings, words and further passages lie in the tables of the graph's
 * index, under the negated number of the space.
 */
export const turnIndex = {
  name: '034-turn-index',
  statements: ({ sql: { integer, clustered } }: Dialect) => [
    `create table turn_indexes (
      account_id ${integer} not null, space_id ${integer} not null, indexed ${integer} not null,
      passages ${integer} not null, length ${integer} not null, index_version ${integer} not null,
      renewed_to ${integer}, renewing_to ${integer},
      primary key (account_id, space_id)
    )${clustered}`,
  ],
} as const
