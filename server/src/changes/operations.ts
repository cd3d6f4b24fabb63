/** The numbers under which the log stores operations; once released, a number keeps its meaning. */
export const operationNumbers = {
  entity_created: 1,
  entity_updated: 2,
  entity_deleted: 3,
  entity_merged: 4,
  observation_added: 5,
  observation_updated: 6,
  observation_deleted: 7,
  relation_created: 8,
  relation_updated: 9,
  relation_deleted: 10,
} as const

/** What can happen to a graph. */
export type Operation = keyof typeof operationNumbers
