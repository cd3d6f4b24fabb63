import type { Dialect } from '../dialect.ts'

/** Counts changes of a space beside its graph: of its map and its recalls. */
export const news = {
  name: '045-news',
  statements: ({ sql: { integer } }: Dialect): readonly string[] => [
    `alter table spaces add column news ${integer} not null default 0`,
  ],
}
