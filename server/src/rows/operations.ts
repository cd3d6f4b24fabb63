import type { ChangeOperation } from '@loci/contract/changes'

/** Operation numbers as stored in the log; once released, a number keeps its meaning. */
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
  entity_erased: 11,
  observation_erased: 12,
} as const satisfies Record<ChangeOperation, number>

/** What can happen to a graph. */
export type Operation = keyof typeof operationNumbers

const operations = new Map<number, Operation>(
  Object.entries(operationNumbers).map(([operation, number]) => [number, operation as Operation]),
)

/** Throws for an unknown number. */
export function operationOfNumber(number: number): Operation {
  const operation = operations.get(number)
  if (operation === undefined) throw new Error(`No operation has the number ${number}`)
  return operation
}

export type SubjectKind = 'entity' | 'observation' | 'relation'

export function kindOf(operation: Operation): SubjectKind {
  if (operation.startsWith('entity')) return 'entity'
  return operation.startsWith('observation') ? 'observation' : 'relation'
}

const beginnings = new Set<Operation>(['entity_created', 'observation_added', 'relation_created'])
const endings = new Set<Operation>([
  'entity_deleted',
  'entity_merged',
  'entity_erased',
  'observation_deleted',
  'observation_erased',
  'relation_deleted',
])

/** True for operations that create their subject. */
export const begins = (operation: Operation): boolean => beginnings.has(operation)

/** True for operations that end their subject. */
export const endsSubject = (operation: Operation): boolean => endings.has(operation)
