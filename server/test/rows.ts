import type { Versions } from '../src/rows/columns.ts'

/** Versions of rows as repos read them, for functions that take rows; `id` and what the test is about are given. */

export const entityRow = (row: Partial<Versions['entities']> & { id: number }): Versions['entities'] => ({
  name: `Entity ${row.id}`,
  type: 'thing',
  metadata: '{}',
  aliases: null,
  observations_count: 0,
  degree: 0,
  version: 1,
  created_at: Date.UTC(2026, 0, 1),
  updated_at: Date.UTC(2026, 0, 1),
  since: row.id,
  since_observations: 0,
  until: null,
  ...row,
})

export const observationRow = (
  row: Partial<Versions['observations']> & { id: number; entity_id: number },
): Versions['observations'] => ({
  content: `Observation ${row.id}`,
  content_hash: 0,
  metadata: null,
  true_from: null,
  true_until: null,
  expires_at: null,
  replaces: null,
  replaced_by: null,
  files: null,
  source: null,
  stale: null,
  cited_repository: null,
  until_before: null,
  created_at: Date.UTC(2026, 0, 1),
  updated_at: null,
  since: row.id,
  until: null,
  ...row,
})

export const relationRow = (
  row: Partial<Versions['relations']> & { id: number; from_id: number; to_id: number },
): Versions['relations'] => ({
  type: 'knows',
  created_at: Date.UTC(2026, 0, 1),
  since: row.id,
  until: null,
  ...row,
})
