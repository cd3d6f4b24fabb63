import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { entityTypesOptions } from '../../lib/entity-types.ts'
import { queryKeys, type SearchFilter } from '../../lib/query-keys.ts'

const typesOffered = 100

/** Entities by relevance, each with its best observations; `limit` grows as one asks for more. */
export function useSearch(filter: SearchFilter, limit: number) {
  const { query = '', type, after, before } = filter
  return useQuery({
    queryKey: [...queryKeys.searchResults(filter), limit],
    queryFn: ({ signal }) => {
      const asked = {
        query,
        types: type,
        after,
        before: before && dayAfter(before),
        limit: String(limit),
        explain: 'true' as const,
      }
      return fitsAddress(query)
        ? api.search({ query: asked, signal })
        : api.searchByBody({ body: asked, signal })
    },
    enabled: query !== '',
    placeholderData: keepPreviousData,
  })
}

/** Servers and proxies take addresses of some 8 KiB; a character may take nine in an address. */
const addressLengthMax = 4_000

function fitsAddress(query: string): boolean {
  return new URLSearchParams({ query }).toString().length <= addressLengthMax
}

export function useTypeOptions() {
  return useQuery({ ...entityTypesOptions(), select: (types) => types.slice(0, typesOffered) })
}

/** The server's `before` is exclusive; to a person "until the 5th" has the 5th in it. */
function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00.000Z`)
  if (Number.isNaN(date.getTime())) return day
  return new Date(date.getTime() + 86_400_000).toISOString().slice(0, 10)
}
