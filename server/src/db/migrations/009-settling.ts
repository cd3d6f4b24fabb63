import type { Dialect } from '../dialect.ts'

/** After an import, each level of SQLite's full-text index becomes one segment: a term is looked up in each. */
export const settling = {
  name: '009-settling',
  statements: ({ name }: Dialect) =>
    name === 'sqlite' ? [`insert into postings (postings, rank) values ('usermerge', 2)`] : [],
} as const
