import { toCommaList } from '@loci/contract/comma-list'
import type { Relation } from '@loci/contract/relations'
import { api } from '../../lib/api.ts'
import type { RelationFilter } from '../../lib/filters.ts'
import { type ListPage, pageSize } from '../../lib/pages.ts'

/** One page of the relations that match a filter. */
export async function fetchRelations(
  { query, type, asOf }: RelationFilter,
  cursor?: string,
  signal?: AbortSignal,
): Promise<ListPage<Relation>> {
  const { relations, ...page } = await api.listRelations({
    query: {
      query: asOf ? undefined : query,
      relationTypes: type && toCommaList([type]),
      asOf,
      limit: String(pageSize),
      cursor,
    },
    signal,
  })
  return { rows: relations, ...page }
}
