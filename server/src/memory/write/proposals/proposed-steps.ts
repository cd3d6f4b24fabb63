import type { Observation } from '@loci/contract/observations'
import { toNumber } from '../../../ground/lib/ids.ts'
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

/** The conversation that the first fact with a source names; null if it names none. */
export function conversationOf({ observations }: ProposedSteps): number | null {
  const source = observations
    .map(({ add, set }) => (add ?? set)?.source)
    .find((text) => typeof text === 'string')
  const { conversationId } = (source ? JSON.parse(source) : {}) as NonNullable<Observation['source']>
  return (conversationId && toNumber('cnv', conversationId)) || null
}

/** The same steps with this source for the facts that they add without one. */
export const withSource = (steps: ProposedSteps, source: string): ProposedSteps => ({
  ...steps,
  observations: steps.observations.map(({ add, ...step }) =>
    add === undefined ? step : { ...step, add: { ...add, source: add.source ?? source } },
  ),
})
