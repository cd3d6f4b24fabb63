import type { Dialect } from '../dialect.ts'

/** Where postings that are settled are kept on PostgreSQL; SQLite needs nothing. */
export const postingBlocks = {
  name: '005-posting-blocks',
  statements: ({ postings }: Dialect): readonly string[] => postings.statementsOfBlocks,
}
