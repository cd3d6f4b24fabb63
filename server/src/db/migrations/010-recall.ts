import type { Dialect } from '../dialect.ts'

/**
 * What answering questions needs of the index: of how many passages an observation consists, and passages in order of
 * time; the relations of an entity by type. The version tells indexes that an older analyser made, which are made anew at the next start.
 */
export const recall = {
  name: '010-recall',
  statements: ({ sql: { integer } }: Dialect) => [
    `alter table passages add column pieces ${integer} not null default 1`,
    `create index passages_by_time on passages (space_number, created_at)`,
    `alter table search_spaces add column version ${integer} not null default 0`,
    `create index search_spaces_by_version on search_spaces (version)`,
    `create index relations_by_source_type on relations (account_id, space_id, from_id, type, created_at)`,
    `create index relations_by_target_type on relations (account_id, space_id, to_id, type, created_at)`,
  ],
} as const
