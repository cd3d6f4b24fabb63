import { decodeCursor, encodeCursor } from './cursors.ts'

/** Ranked lists are this long at most: nobody reads further, and what comes later fits badly. */
export const rankedMax = 500

/** One page of a ranked list that is made anew for each page; the cursor is the place to go on at. */
export function toRankedPage<T>(
  ranked: readonly T[],
  page: { cursor?: string | undefined; limit: number },
): { rows: T[]; nextCursor: string | null } {
  const start = decodeCursor(page.cursor)?.at ?? 0
  const end = start + page.limit
  return {
    rows: ranked.slice(start, end),
    nextCursor: end < ranked.length ? encodeCursor({ at: end, id: 0 }) : null,
  }
}
