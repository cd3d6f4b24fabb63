import type { Dialect } from '../../db/dialect.ts'

const countedMax = 1_000
const countsOf = new WeakMap<Dialect, Map<string, number>>()

/**
 * Remembers how many relations a search finds. `key` has the number of the space's newest change, so that what is
 * remembered is not asked for after a change; the oldest are forgotten.
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
