import type { Dialect } from '../dialect.ts'

/** Views of the graph that people without an account can open. */
export const shares = {
  name: '041-shares',
  statements: ({ sql: { integer, text, clustered } }: Dialect) => [
    `create table shares (
      account_id ${integer} not null, space_id ${integer} not null, id ${text} not null,
      token_hash ${text} not null, kind ${text} not null, title ${text} not null, note ${text} not null,
      entities ${text} not null, as_of ${integer},
      created_by ${text} not null, created_at ${integer} not null, expires_at ${integer},
      primary key (account_id, space_id, id)
    )${clustered}`,
    'create unique index shares_by_token on shares (account_id, token_hash)',
  ],
} as const
