import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListData, ListPage } from './pages.ts'
import { mergeHead, patchRows, removeRow } from './pages.ts'

type Identified = { id: string; createdAt: string }
const pagesRefetchedMax = 3

/** Changes a row in every list under a key, shown or not. */
export function patchInLists<Row extends Identified>(
  client: QueryClient,
  queryKey: QueryKey,
  id: string,
  change: (row: Row) => Row,
): void {
  client.setQueriesData<ListData<Row>>({ queryKey }, (data) =>
    data ? patchRows(data, (row) => (row.id === id ? change(row) : row)) : data,
  )
}

export function removeFromLists(client: QueryClient, queryKey: QueryKey, id: string): void {
  client.setQueriesData<ListData<Identified>>({ queryKey }, (data) => (data ? removeRow(data, id) : data))
}

/**
 * Brings the lists under a key up to date at their head. Lists ranked by a search or sorted otherwise are asked for anew while they are
 * short; lists not shown are asked for anew when they come back, and forgotten when they are long.
 */
export async function refreshHeads<Row extends Identified, Filter extends { query?: string; sort?: string }>(
  client: QueryClient,
  queryKey: QueryKey,
  fetchHead: (filter: Filter) => Promise<ListPage<Row>>,
): Promise<void> {
  const queries = client.getQueryCache().findAll({ queryKey })
  await Promise.all(
    queries.map(async (query) => {
      const data = query.state.data as ListData<Row> | undefined
      const filter = query.queryKey.at(-1) as Filter
      const short = (data?.pages.length ?? 0) <= pagesRefetchedMax
      if (!query.isActive()) {
        if (short)
          await client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
        else client.removeQueries({ queryKey: query.queryKey, exact: true })
      } else if (!data || filter.query || filter.sort) {
        if (short) await client.invalidateQueries({ queryKey: query.queryKey, exact: true })
      } else {
        const head = await fetchHead(filter)
        client.setQueryData<ListData<Row>>(query.queryKey, (now) => (now ? mergeHead(now, head) : now))
      }
    }),
  )
}
