import type { Dialect } from '../dialect.ts'

/** Whether processes of older versions may serve beside a migration, and whether its slices are done. */
export const olderProcesses = {
  name: '058-older-processes',
  statements: ({ sql: { integer } }: Dialect): readonly string[] => [
    `alter table migrations add column serves_older ${integer} not null default 0`,
    `alter table migrations add column is_finished ${integer} not null default 1`,
  ],
}
