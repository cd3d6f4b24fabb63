import type { Dialect } from '../dialect.ts'

/** Storage of folded postings on PostgreSQL; SQLite needs none. */
export const postingBlocks = {
  name: '005-posting-blocks',
  statements: ({ postings }: Dialect): readonly string[] => postings.statementsOfBlocks,
}
