import type { Dialect } from '../dialect.ts'

const columns = ['stale', 'cited_repository', 'until_before']

/** Which cited files have changed, whose repository they are of, and when a replaced fact would have ended by itself. */
export const citedFiles = {
  name: '035-cited-files',
  statements: ({ sql: { text } }: Dialect) => [
    ...['observations', 'past_observations'].flatMap((table) => [
      ...columns.map((column) => `alter table ${table} add column ${column} ${text}`),
      `update ${table} set cited_repository = '' where files is not null`,
    ]),
    `create index observations_by_repository on observations (account_id, space_id, cited_repository, id)
      where cited_repository is not null`,
    `create index observations_by_staleness on observations (account_id, space_id, id) where stale is not null`,
  ],
} as const
