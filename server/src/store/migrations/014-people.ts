import type { Dialect } from '../dialect.ts'

/** Confirmed email addresses, and invitations. */
export const people = {
  name: '014-people',
  statements: ({ sql: { integer, text, clustered } }: Dialect): readonly string[] => [
    `alter table users add column email_verified_at ${integer}`,
    `create table invitations (
      account_id ${integer} not null, id ${text} not null, email ${text} not null,
      role ${text} not null check (role in ('owner', 'admin', 'member', 'viewer')),
      token_hash ${text} not null, invited_by ${text} not null, created_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (account_id, id)
    )${clustered}`,
  ],
}
