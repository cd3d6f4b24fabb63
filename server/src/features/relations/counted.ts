import type { Dialect } from '../../store/dialect.ts'

const countedMax = 1_000
const countsOf = new WeakMap<Dialect, Map<string, number>>()

/**
 * Caches how many relations a search finds. `key` includes the number of the space's newest change, so that a change
 * invalidates the count; the oldest counts are evicted.
 */
export function rememberCount(dialect: Dialect, key: string, count: number): void {
  let counts = countsOf.get(dialect)
  if (counts === undefined) {
    counts = new Map()
    countsOf.set(dialect, counts)
  }
  counts.set(key, count)
  if (counts.size > countedMax) counts.delete(counts.keys().next().value!)
}

export const findCount = (dialect: Dialect, key: string): number | undefined =>
  countsOf.get(dialect)?.get(key)
