import { setColumns, type VersionedTable, type Versions } from '../../rows/columns.ts'

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

/** Rows as far as changing or ending them needs; a column that is missing after a change stays. */
export type Changed = {
  entities: Pick<Versions['entities'], 'id' | 'name' | 'type' | 'metadata' | 'aliases'>
  observations: Pick<Versions['observations'], 'id' | 'content' | 'metadata'> &
    Partial<Versions['observations']>
  relations: Pick<Versions['relations'], 'id' | 'type'> & Partial<Versions['relations']>
}

export type Reset<T extends VersionedTable> = { before: Changed[T]; after: Changed[T] }

type Sorted<T extends VersionedTable> = {
  coming: Versions[T][]
  going: Versions[T][]
  resets: { before: Versions[T]; after: Versions[T] }[]
}

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

/** Rows whose same columns change to the same values. */
type Run = { ids: number[]; columns: Record<string, string | number | null> }

/**
 * Rows that change alike. Names and the ends of relations are keys, so of entities and relations only consecutive rows
 * are joined: in their order, no run violates a key.
 */
export function runsOf<T extends VersionedTable>(table: T, resets: readonly Reset<T>[]): Run[] {
  const names: readonly string[] = setColumns[table]
  const runs = new Map<string, Run>()
  let place = 0
  let lastKey: string | undefined
  for (const { before, after } of resets) {
    const changed = Object.entries(after).filter(
      ([name, value]) => names.includes(name) && value !== Reflect.get(before, name),
    )
    const columns = Object.fromEntries(changed)
    const key = JSON.stringify(columns)
    if (key !== lastKey && table !== 'observations') place += 1
    lastKey = key
    const run = runs.get(`${place} ${key}`)
    if (run === undefined) runs.set(`${place} ${key}`, { ids: [before.id], columns })
    else run.ids.push(before.id)
  }
  return [...runs.values()]
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
