import { toCommaList } from '@loci/contract/comma-list'
import type { Entity } from '@loci/contract/entities'
import { api } from '../../lib/api.ts'
import type { EntityFilter } from '../../lib/filters.ts'
import { type ListPage, pageSize } from '../../lib/pages.ts'
import { sortOf } from './entity-order.ts'

const include = 'latest,by,relations'

/** One page of the entities that match a filter, with their latest facts. */
export async function fetchEntities(
  filter: EntityFilter,
  cursor?: string,
  signal?: AbortSignal,
): Promise<ListPage<Entity>> {
  const { query, type, asOf } = filter
  const common = { types: type && toCommaList([type]), include, limit: String(pageSize), cursor }
  const { entities, ...page } = await api.listEntities({
    query: asOf
      ? { ...common, asOf }
      : {
          ...common,
          query,
          sort: sortOf(filter),
          order: filter.order === 'asc' || filter.order === 'desc' ? filter.order : undefined,
        },
    signal,
  })
  return { rows: entities, ...page }
}
