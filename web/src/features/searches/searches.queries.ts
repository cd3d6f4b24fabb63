import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys, type SearchFilter } from '../../lib/query-keys.ts'

/** Observations by relevance, each with its neighbours and who wrote it; `limit` grows as one asks for more. */
export function useSearch(filter: SearchFilter, limit: number) {
  const { query = '', type } = filter
  return useQuery({
    queryKey: [...queryKeys.searchResults({ ...filter, by: undefined }), limit],
    queryFn: ({ signal }) => {
      const asked = {
        query,
        types: type,
        ...timesOf(filter),
        limit: String(limit),
        context: '1',
        explain: 'true' as const,
        include: 'by',
      }
      return fitsAddress(query)
        ? api.searchObservations({ query: asked, signal })
        : api.searchObservationsByBody({ body: asked, signal })
    },
    enabled: query !== '',
    placeholderData: keepPreviousData,
  })
}

/** What an agent would get for the same question. */
export function useRecallPreview(filter: SearchFilter) {
  const { query = '', type } = filter
  return useQuery({
    queryKey: [...queryKeys.searchResults({ ...filter, by: undefined }), 'recall'],
    queryFn: ({ signal }) =>
      api.previewRecall({ body: { query, ...(type && { types: [type] }), ...timesOf(filter) }, signal }),
    enabled: query !== '',
  })
}

/** Servers and proxies take addresses of some 8 KiB; a character may take nine in an address. */
const addressLengthMax = 4_000

function fitsAddress(query: string): boolean {
  return new URLSearchParams({ query }).toString().length <= addressLengthMax
}

function timesOf({ after, before }: SearchFilter) {
  return { after, before: before && dayAfter(before) }
}

/** The server's `before` is exclusive; to a person "until the 5th" has the 5th in it. */
function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00.000Z`)
  if (Number.isNaN(date.getTime())) return day
  return new Date(date.getTime() + 86_400_000).toISOString().slice(0, 10)
}
