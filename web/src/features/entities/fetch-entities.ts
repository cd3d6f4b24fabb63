import type { Entity } from '@loci/contract/entities'
import { api } from '../../lib/api.ts'
import { type ListPage, pageSize } from '../../lib/pages.ts'
import type { EntityFilter } from '../../lib/query-keys.ts'

/** One page of the entities that pass a filter. */
export async function fetchEntities(
  { query, type, asOf }: EntityFilter,
  cursor?: string,
  signal?: AbortSignal,
): Promise<ListPage<Entity>> {
  const { entities, ...page } = await api.listEntities({
    query: { query: asOf ? undefined : query, types: type, asOf, limit: String(pageSize), cursor },
    signal,
  })
  return { rows: entities, ...page }
}
