import { decodeCursor, encodeCursor } from './cursors.ts'

/** Maximum length of a ranked list: nobody reads further, and later results fit badly. */
export const rankedMax = 500

/** One page of a ranked list that is recomputed for each page; the cursor is the position to continue at. */
export function toRankedPage<T>(
  list: string,
  ranked: readonly T[],
  page: { cursor?: string | undefined; limit: number },
): { rows: T[]; nextCursor: string | null } {
  const start = decodeCursor(list, page.cursor)?.at ?? 0
  const end = start + page.limit
  return {
    rows: ranked.slice(start, end),
    nextCursor: end < ranked.length ? encodeCursor(list, { at: end, id: 0 }) : null,
  }
}
