import type { Dialect } from '../dialect.ts'

/** How far each imported file has come. */
export const imports = {
  name: '004-imports',
  statements: ({ sql: { integer, text, strict } }: Dialect) => [
    `create table imports (
      account_id ${text} not null, space_id ${text} not null, id ${text} not null,
      digest ${text} not null, format ${text} not null, bytes ${integer} not null,
      runner ${text} not null, progress ${text} not null, created_at ${integer} not null, updated_at ${integer} not null,
      primary key (account_id, space_id, id),
      foreign key (account_id, space_id) references spaces (account_id, id) on delete cascade
    )${strict}`,
    `create unique index imports_by_digest on imports (account_id, space_id, digest)`,
  ],
} as const
