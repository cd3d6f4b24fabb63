import type { Dialect } from '../dialect.ts'

/**
 * Where each person was last, and when an agent first called in each space. Until now the latter was known per account:
 * it is kept for the space that agents call by default and for those that they recalled from.
 */
export const places = {
  name: '027-places',
  statements: ({ sql: { integer } }: Dialect) => [
    `alter table users add column place_account_id ${integer}`,
    `alter table users add column place_space_id ${integer}`,
    `alter table spaces add column agent_seen_at ${integer}`,
    `update spaces set agent_seen_at = accounts.agent_seen_at from accounts
      where accounts.account_id = spaces.account_id and (spaces.space_id = 1 or exists (
        select 1 from recalls where recalls.account_id = spaces.account_id and recalls.space_id = spaces.space_id))`,
    'alter table accounts drop column agent_seen_at',
  ],
} as const
