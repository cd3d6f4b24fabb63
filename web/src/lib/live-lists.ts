import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListData, ListPage } from './pages.ts'
import { mergeHead, patchRows, removeRow, replaceRows } from './pages.ts'

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
 * Refreshes the first page of the lists under a key. Lists that are searched or sorted otherwise are
 * refetched while they are short. Lists that are not shown are refetched on return if short, and dropped if
 * long.
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
        const turn = Symbol()
        lastTurn.set(query, turn)
        const head = await fetchHead(filter)
        if (lastTurn.get(query) === turn) await putHead(client, query, head)
      }
    }),
  )
}

/** The latest refresh of each list's head: an answer to an earlier one may be older. */
const lastTurn = new WeakMap<Query, symbol>()

/** What is on its way may have been read before the change, and would take the list back: it starts again. */
async function putHead<Row extends Identified>(
  client: QueryClient,
  { queryKey, state }: Query,
  head: ListPage<Row>,
): Promise<void> {
  const one = { queryKey, exact: true }
  const isRefetching = state.fetchStatus === 'fetching' && !state.fetchMeta?.fetchMore
  if (isRefetching) return client.invalidateQueries(one)
  await client.cancelQueries(one)
  client.setQueryData<ListData<Row>>(queryKey, (now) => (now ? mergeHead(now, head) : now))
}

/**
 * Refetches changed rows below the first page of a list that is shown: the pages that hold them, up to a few.
 * The rows keep their positions.
 */
export async function refreshRows<Row extends Identified, Filter>(
  client: QueryClient,
  queryKey: QueryKey,
  ids: ReadonlySet<string>,
  fetchPage: (filter: Filter, cursor: string | undefined) => Promise<ListPage<Row>>,
): Promise<void> {
  const shown = client.getQueryCache().findAll({ queryKey, type: 'active' })
  await Promise.all(
    shown.map(async ({ queryKey: key, state }) => {
      const data = state.data as ListData<Row> | undefined
      const filter = key.at(-1) as Filter
      const cursors = data ? cursorsOf(data, ids).slice(0, pagesRefetchedMax) : []
      const pages = await Promise.all(cursors.map((cursor) => fetchPage(filter, cursor)))
      const fresh = pages.flatMap(({ rows }) => rows.filter(({ id }) => ids.has(id)))
      if (fresh.length > 0)
        client.setQueryData<ListData<Row>>(key, (now) => (now ? replaceRows(now, fresh) : now))
    }),
  )
}

/** The cursors of the pages after the first that hold one of these rows. */
function cursorsOf<Row extends Identified>(data: ListData<Row>, ids: ReadonlySet<string>) {
  return data.pageParams.filter(
    (_, index) => index > 0 && data.pages[index]?.rows.some(({ id }) => ids.has(id)),
  )
}
