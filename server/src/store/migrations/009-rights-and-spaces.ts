import type { Dialect } from '../dialect.ts'

/** Rights, spaces and last use of keys, and spaces that are being deleted. */
export const rightsAndSpaces = {
  name: '009-rights-and-spaces',
  statements: ({ sql: { integer, text } }: Dialect): readonly string[] => [
    `alter table api_keys add column permissions ${text}`,
    `alter table api_keys add column spaces ${text}`,
    `alter table key_counts add column last_operation ${text}`,
    `alter table key_counts add column last_resource ${text}`,
    `alter table idempotency_keys add column space_id ${integer} not null default 1`,
    `alter table spaces add column deleted_at ${integer}`,
    `create index spaces_by_deletion on spaces (deleted_at, account_id, space_id) where deleted_at is not null`,
  ],
}
