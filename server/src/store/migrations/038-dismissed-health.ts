import type { Dialect } from '../dialect.ts'

/** Findings about a memory that somebody left as they are. */
export const dismissedHealth = {
  name: '038-dismissed-health',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `create table dismissed_health (
      account_id ${integer} not null, space_id ${integer} not null, item_id ${text} not null,
      dismissed_at ${integer} not null,
      primary key (account_id, space_id, item_id)
    )${clustered}`,
  ],
} as const
