import type { Dialect } from '../dialect.ts'

const columns = (integer: string, text: string) => ({
  true_from: text,
  true_until: text,
  expires_at: integer,
  replaces: text,
  replaced_by: integer,
  files: text,
  source: text,
})

/** When a fact was true, what it replaced, what it rests on and where it is from; and an index for each job and question. */
export const factsInTime = {
  name: '031-facts-in-time',
  statements: ({ sql: { integer, text } }: Dialect) => [
    ...['observations', 'past_observations'].flatMap((table) =>
      Object.entries(columns(integer, text)).map(
        ([column, type]) => `alter table ${table} add column ${column} ${type}`,
      ),
    ),
    `create index observations_by_truth on observations (account_id, space_id, true_from) where true_from is not null`,
    `create index observations_by_expiry on observations (expires_at) where expires_at is not null`,
  ],
} as const
