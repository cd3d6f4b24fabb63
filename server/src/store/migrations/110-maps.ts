import type { Migration } from '../migration.ts'

/** Saved views of the graph screen, names of regions, the map of each space, and views that are shared. */
export const maps: Migration = {
  name: '110-maps',
  statements: ({ sql: { integer, text, clustered, ofSpace } }) => [
    `create table views (
      ${ofSpace}, id ${text} not null,
      name ${text} not null, state ${text} not null,
      created_by ${text} not null, created_at ${integer} not null, updated_at ${integer} not null,
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create table region_names (
      ${ofSpace}, entity_id ${integer} not null,
      name ${text} not null, named_at ${integer} not null,
      primary key (account_id, space_id, entity_id)
    )${clustered}`,
    `create table graph_maps (
      ${ofSpace},
      version ${integer} not null, places ${integer} not null, regions ${text} not null,
      primary key (account_id, space_id)
    )${clustered}`,
    `create table graph_map_parts (
      ${ofSpace}, part ${integer} not null,
      places ${text} not null,
      primary key (account_id, space_id, part)
    )${clustered}`,
    `create table shares (
      ${ofSpace}, id ${text} not null,
      token_hash ${text} not null, kind ${text} not null, title ${text} not null, note ${text} not null,
      entities ${text} not null, as_of ${integer},
      created_by ${text} not null, created_at ${integer} not null, expires_at ${integer},
      primary key (account_id, space_id, id)
    )${clustered}`,
    `create unique index shares_by_token on shares (account_id, token_hash)`,
  ],
}
