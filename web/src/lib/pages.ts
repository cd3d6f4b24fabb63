import type { InfiniteData } from '@tanstack/react-query'

/** One page of a list that is paged by cursor. */
export type ListPage<Row> = { rows: Row[]; total: number; nextCursor: string | null }
export type ListData<Row> = InfiniteData<ListPage<Row>, string | undefined>
type Identified = { id: string; createdAt: string }

/** The server's default page size. */
export const pageSize = 100

export const pagingOptions = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

export function rowsOf<Row>(data: { pages: ListPage<Row>[] } | undefined): Row[] {
  return data?.pages.flatMap((page) => page.rows) ?? []
}

/** Changes rows for which `change` returns a new value; the rest keep their identity. */
export function patchRows<Row>(data: ListData<Row>, change: (row: Row) => Row): ListData<Row> {
  return { ...data, pages: data.pages.map((page) => ({ ...page, rows: page.rows.map(change) })) }
}

/** Replaces rows in place by newer versions. */
export function replaceRows<Row extends Identified>(
  data: ListData<Row>,
  fresh: readonly Row[],
): ListData<Row> {
  const byId = new Map(fresh.map((row) => [row.id, row]))
  return patchRows(data, (row) => byId.get(row.id) ?? row)
}

export function removeRow<Row extends Identified>(data: ListData<Row>, id: string): ListData<Row> {
  const found = data.pages.some((page) => page.rows.some((row) => row.id === id))
  if (!found) return data
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      rows: page.rows.filter((row) => row.id !== id),
      total: Math.max(0, page.total - 1),
    })),
  }
}

/**
 * Replaces the first page of a list (newest first) without refetching later pages: a long list keeps its
 * scroll position while rows arrive above.
 */
export function mergeHead<Row extends Identified>(data: ListData<Row>, head: ListPage<Row>): ListData<Row> {
  const last = head.rows.at(-1)
  if (head.nextCursor === null || !last) return { pages: [head], pageParams: [undefined] }
  const fresh = new Set(head.rows.map((row) => row.id))
  const pages = data.pages.map((page) => ({
    ...page,
    total: head.total,
    // A row as new as the first page but missing from it was deleted.
    rows: page.rows.filter((row) => !fresh.has(row.id) && row.createdAt <= last.createdAt),
  }))
  const [first, ...rest] = pages
  if (!first) return { pages: [head], pageParams: [undefined] }
  return { ...data, pages: [{ ...first, rows: [...head.rows, ...first.rows] }, ...rest] }
}
