import { toCommaList } from '@loci/contract/comma-list'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { momentsOf } from '../../lib/days.ts'
import type { SearchFilter } from '../../lib/filters.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Observations by relevance, each with its neighbours and its writer; `limit` grows as the user loads more. */
export function useSearch(filter: SearchFilter, limit: number) {
  const { query = '', type } = filter
  return useQuery({
    queryKey: [...queryKeys.searchResults({ ...filter, by: undefined }), limit],
    queryFn: ({ signal }) => {
      const asked = {
        query,
        types: type && toCommaList([type]),
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

/** The text that an agent would get for the same question. */
export function useRecallPreview(filter: SearchFilter) {
  const { query = '', type } = filter
  return useQuery({
    queryKey: [...queryKeys.searchResults({ ...filter, by: undefined }), 'recall'],
    queryFn: ({ signal }) =>
      api.previewRecall({ body: { query, ...(type && { types: [type] }), ...timesOf(filter) }, signal }),
    enabled: query !== '',
  })
}

/** Servers and proxies accept URLs of about 8 KiB; one character can take nine in a URL. */
const addressLengthMax = 4_000

function fitsAddress(query: string): boolean {
  return new URLSearchParams({ query }).toString().length <= addressLengthMax
}

function timesOf(filter: SearchFilter) {
  const { begin, end } = momentsOf(filter)
  return { after: begin, before: end }
}
