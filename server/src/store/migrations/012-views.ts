import type { Dialect } from '../dialect.ts'

/** Saved views of the graph screen, and the names of regions. */
export const views = {
  name: '012-views',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `create table views (
      account_id ${integer} not null, space_id ${integer} not null, id ${text} not null,
      name ${text} not null, state ${text} not null,
      created_by ${text} not null, created_at ${integer} not null, updated_at ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create table region_names (
      account_id ${integer} not null, space_id ${integer} not null, entity_id ${integer} not null,
      name ${text} not null, named_at ${integer} not null,
      primary key (account_id, space_id, entity_id)
    )${clustered}`,
  ],
} as const
