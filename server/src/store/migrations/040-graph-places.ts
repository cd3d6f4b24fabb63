import type { Dialect } from '../dialect.ts'

/** The map of each space: its regions, and the places of its entities in parts of neighbouring numbers. */
export const graphPlaces = {
  name: '040-graph-places',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `create table graph_maps (
      account_id ${integer} not null, space_id ${integer} not null,
      version ${integer} not null, places ${integer} not null, regions ${text} not null,
      primary key (account_id, space_id)
    )${clustered}`,
    `create table graph_map_parts (
      account_id ${integer} not null, space_id ${integer} not null, part ${integer} not null,
      places ${text} not null,
      primary key (account_id, space_id, part)
    )${clustered}`,
  ],
} as const
