import type { Cursor } from './cursors.ts'

/**
 * One page of the union of several lists, newest first: reads a whole page of each and keeps the newest. Each list
 * can use an index, which `in (...)` with an order could not.
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

/** Negative if `a` comes before `b`; lists are newest first, so later pages have lower cursors. */
export function compareCursors(a: Cursor, b: Cursor): number {
  return a.at - b.at || a.id - b.id
}
