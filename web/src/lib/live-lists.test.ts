import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { patchInLists, refreshHeads, refreshRows, removeFromLists } from './live-lists.ts'
import type { ListData, ListPage } from './pages.ts'

type Row = { id: string; createdAt: string; text: string }
type Filter = { query?: string; sort?: string }

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const row = (id: number, text = 'old'): Row => ({
  id: `r${id}`,
  createdAt: new Date(1_000_000 - id).toISOString(),
  text,
})
const page = (first: number, text?: string, nextCursor: string | null = 'more'): ListPage<Row> => ({
  rows: [row(first, text), row(first + 1, text)],
  total: 6,
  nextCursor,
})

/** Lists of three pages of two rows, each shown or not. */
function build(...lists: { filter: Filter; isShown?: boolean }[]) {
  const client = new QueryClient()
  for (const { filter, isShown = true } of lists) {
    const queryKey = ['rows', filter]
    const data: ListData<Row> = {
      pages: [page(0), page(2), page(4, 'old', null)],
      pageParams: [undefined, 'c1', 'c2'],
    }
    client.setQueryData(queryKey, data)
    const options = { queryKey, queryFn: () => data, staleTime: Number.POSITIVE_INFINITY }
    if (isShown) stops.push(new QueryObserver(client, options).subscribe(() => {}))
  }
  const textsOf = (filter: Filter) =>
    client
      .getQueryData<ListData<Row>>(['rows', filter])
      ?.pages.map(({ rows }) => rows.map(({ text }) => text).join(' '))
  return { client, textsOf }
}

test('rows that changed below the head are reloaded by the page that contains them, and keep their places', async () => {
  const { client, textsOf } = build({ filter: {} })
  const asked: (string | undefined)[] = []
  await refreshRows<Row, Filter>(client, ['rows'], new Set(['r0', 'r4']), async (_, cursor) => {
    asked.push(cursor)
    return page(4, 'new', null)
  })
  expect(asked, 'the head is brought up to date with what is new').toEqual(['c2'])
  expect(textsOf({})).toEqual(['old old', 'old old', 'new old'])
})

test('nothing is requested for hidden lists, or for those without the row', async () => {
  const { client } = build({ filter: { query: 'a' }, isShown: false }, { filter: {} })
  await refreshRows<Row, Filter>(client, ['rows'], new Set(['r99']), () => Promise.reject(new Error('asked')))
})

test('a fresh head goes above the rest; hidden lists are reloaded when they are shown', async () => {
  const hidden = { filter: { query: 'hidden' }, isShown: false }
  const { client, textsOf } = build({ filter: {} }, hidden)
  await refreshHeads<Row, Filter>(client, ['rows'], async () => ({ ...page(-1, 'new'), total: 7 }))
  expect(textsOf({})).toEqual(['new new old', 'old old', 'old old'])
  expect(client.getQueryState(['rows', hidden.filter])?.isInvalidated).toBe(true)
})

test('neither an older head nor a page on its way takes back what a fresh head brought', async () => {
  const { client, textsOf } = build({ filter: {} })
  const slow = Promise.withResolvers<ListPage<Row>>()
  const older = refreshHeads<Row, Filter>(client, ['rows'], () => slow.promise)
  const next = Promise.withResolvers<ListPage<Row>>()
  const options = {
    queryKey: ['rows', {}],
    queryFn: () => next.promise,
    initialPageParam: undefined,
    getNextPageParam: () => 'c3',
    staleTime: Number.POSITIVE_INFINITY,
  }
  const shown = new InfiniteQueryObserver(client, options)
  stops.push(shown.subscribe(() => {}))
  void shown.fetchNextPage()
  await refreshHeads<Row, Filter>(client, ['rows'], async () => page(0, 'new'))
  expect(textsOf({})).toEqual(['new new', 'old old', 'old old'])
  slow.resolve(page(0, 'older'))
  next.resolve(page(6, 'next', null))
  await older
  await new Promise((resolve) => setTimeout(resolve))
  expect(textsOf({})![0]).toBe('new new')
})

test('a row is changed and removed in every list, shown or not', () => {
  const { client, textsOf } = build({ filter: {} }, { filter: { sort: 'name' }, isShown: false })
  patchInLists<Row>(client, ['rows'], 'r3', (was) => ({ ...was, text: 'patched' }))
  removeFromLists(client, ['rows'], 'r5')
  for (const filter of [{}, { sort: 'name' }]) {
    expect(textsOf(filter)).toEqual(['old old', 'old patched', 'old'])
  }
})
