import type { Cursor } from './cursors.ts'

/**
 * One page of a list that is the union of several lists, newest first: asks each for a whole page and keeps the
 * newest of all. Each source is served by an index, which `in (...)` with an order would not be.
 */
export async function mergePages<T>(
  sources: readonly (() => Promise<T[]>)[],
  limit: number,
  keyOf: (row: T) => Cursor,
): Promise<T[]> {
  const pages: T[][] = []
  for (const source of sources) pages.push(await source())
  if (pages.length === 1) return pages[0]!
  return pages
    .flat()
    .sort((a, b) => compareCursors(keyOf(b), keyOf(a)))
    .slice(0, limit)
}

/** Below zero when `a` comes before `b`; lists are newest first, so that later pages are of lower ones. */
export function compareCursors(a: Cursor, b: Cursor): number {
  return a.at - b.at || a.id - b.id
}
