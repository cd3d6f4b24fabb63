import { saidColumns, type VersionedTable, type Versions } from '../../rows/columns.ts'

/**
 * The change of a row: without `after` it is deleted, without `before` it is inserted, with both it is
 * changed.
 */
export type Step<T extends VersionedTable> = {
  before: Versions[T] | undefined
  after: Versions[T] | undefined
}

/**
 * A change of many rows, checked as a whole and applied in an order that never violates a rule of the
 * graph.
 */
export type Steps = { [T in VersionedTable]: Step<T>[] }

export type Reset<T extends VersionedTable> = { before: Versions[T]; after: Versions[T] }

type Sorted<T extends VersionedTable> = { coming: Versions[T][]; going: Versions[T][]; resets: Reset<T>[] }

/** The steps grouped by effect. Steps without effect are dropped. */
export function sortSteps<T extends VersionedTable>(steps: readonly Step<T>[]): Sorted<T> {
  const sorted: Sorted<T> = { coming: [], going: [], resets: [] }
  for (const { before, after } of steps) {
    if (before !== undefined && after !== undefined) sorted.resets.push({ before, after })
    else if (before !== undefined) sorted.going.push(before)
    else if (after !== undefined) sorted.coming.push(after)
  }
  return sorted
}

/** Relations whose same columns change to the same values. */
type RunOfRelations = { ids: number[]; columns: Record<string, string | number> }

/** Consecutive relations that change alike. Their order is kept, so that no run violates a key. */
export function runsOfRelations(resets: readonly Reset<'relations'>[]): RunOfRelations[] {
  const runs: RunOfRelations[] = []
  let lastKey: string | undefined
  for (const { before, after } of resets) {
    const changed = saidColumns.relations.filter((column) => after[column] !== before[column])
    const columns = Object.fromEntries(changed.map((column) => [column, after[column]]))
    const key = JSON.stringify(columns)
    if (key === lastKey) runs.at(-1)!.ids.push(before.id)
    else runs.push({ ids: [before.id], columns })
    lastKey = key
  }
  return runs
}

export const countSteps = (steps: Steps): number =>
  [...steps.entities, ...steps.observations, ...steps.relations].filter(
    ({ before, after }) => before !== undefined || after !== undefined,
  ).length

/** The difference in observations and relation ends of each entity. */
export function countsOfSteps({ observations, relations }: Steps): {
  observations: Map<number, number>
  degrees: Map<number, number>
} {
  const counts = { observations: new Map<number, number>(), degrees: new Map<number, number>() }
  const add = (map: Map<number, number>, id: number, delta: number) => map.set(id, (map.get(id) ?? 0) + delta)
  for (const { before, after } of observations) {
    if (before !== undefined) add(counts.observations, before.entity_id, -1)
    if (after !== undefined) add(counts.observations, after.entity_id, 1)
  }
  for (const { before, after } of relations) {
    for (const id of before === undefined ? [] : [before.from_id, before.to_id]) add(counts.degrees, id, -1)
    for (const id of after === undefined ? [] : [after.from_id, after.to_id]) add(counts.degrees, id, 1)
  }
  return counts
}
