import type { VersionedTable, Versions } from '../../../rows/columns.ts'

/**
 * The change of one row, as a proposal stores it: `add` is a whole new row, `set` the columns that change, neither
 * deletes the row. What it rests on is the row as it was at the proposal's `base_seq`, which history keeps; or
 * `before`, if that is only proposed itself.
 */
export type ProposedStep<T extends VersionedTable> = {
  id: number
  add?: Versions[T]
  set?: Partial<Versions[T]>
  before?: Versions[T]
}

export type ProposedSteps = { [T in VersionedTable]: ProposedStep<T>[] } & {
  /** The entities that go are merged into another. */
  isMerge?: true
}

export const versionedTables = ['entities', 'observations', 'relations'] as const

export const countProposed = (steps: ProposedSteps): number =>
  versionedTables.reduce((sum, table) => sum + steps[table].length, 0)
