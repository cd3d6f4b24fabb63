import type { Dialect } from '../dialect.ts'

/**
 * The history of an entity, read in the order of changes: from an index for its observations, which are many; for its
 * relations and for past versions, sorted from indexes that now contain the numbers of changes.
 */
export const changesOfEntities = {
  name: '018-changes-of-entities',
  statements: (_: Dialect) => [
    'create index observations_by_change on observations (account_id, space_id, entity_id, since)',
    ...(['source', 'target'] as const).flatMap((side) => {
      const end = side === 'source' ? 'from_id' : 'to_id'
      return [
        `drop index relations_by_${side}`,
        `create index relations_by_${side} on relations (account_id, space_id, ${end}, created_at, id, since)`,
        `drop index past_relations_by_${side}`,
        `create index past_relations_by_${side} on past_relations
          (account_id, space_id, ${end}, created_at, id, since, until)`,
      ]
    }),
    'drop index past_observations_by_entity',
    `create index past_observations_by_entity on past_observations
      (account_id, space_id, entity_id, id, since, until)`,
  ],
} as const
