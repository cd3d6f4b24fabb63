import type { Dialect } from '../dialect.ts'

/**
 * The colour of each entity type, and the orders in which entities are listed. Existing types get colours by
 * frequency, from 7 on; the six known types have fixed colours without rows.
 */
export const entityOrder = {
  name: '010-entity-order',
  statements: ({ sql: { integer, folded } }: Dialect) => [
    `alter table type_counts add column colour ${integer}`,
    `update type_counts set colour = placed.place + 6 from (
      select account_id, space_id, type,
        row_number() over (partition by account_id, space_id order by count desc, type) as place
      from type_counts where kind = 'entity'
        and lower(type) not in ('concept', 'person', 'company', 'technology', 'product', 'event', 'observation')
    ) as placed
    where type_counts.kind = 'entity' and placed.account_id = type_counts.account_id
      and placed.space_id = type_counts.space_id and placed.type = type_counts.type`,
    `create index type_counts_by_colour on type_counts (account_id, space_id, kind, colour)`,
    `create index entities_by_change on entities (account_id, space_id, updated_at, id)`,
    `create index entities_by_facts on entities (account_id, space_id, observations_count, id)`,
    `create index entities_by_folded_name on entities (account_id, space_id, (${folded('name')}), id)`,
  ],
} as const
