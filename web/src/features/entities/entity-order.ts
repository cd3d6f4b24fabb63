import type { EntitySort } from '@loci/contract/entities'
import type { EntityFilter } from '../../lib/filters.ts'

export const orders: { value: EntitySort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'changed', label: 'Last changed' },
  { value: 'name', label: 'Name' },
  { value: 'connected', label: 'Most connected' },
  { value: 'facts', label: 'Most observations' },
]

/** The active order; undefined if a search ranks by relevance. */
export function sortOf({ sort, query, asOf }: EntityFilter): EntitySort | undefined {
  const found = asOf === undefined ? orders.find(({ value }) => value === sort)?.value : undefined
  return found ?? (query ? undefined : 'newest')
}

export function isAscending({ order }: EntityFilter, sort: EntitySort | undefined): boolean {
  return (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc'
}

/** The filter with another order, in its usual direction. Searches are ordered by relevance. */
export function withSort(filter: EntityFilter, sort: EntitySort | undefined): EntityFilter {
  const isUsual = sort === undefined || (sort === 'newest' && !filter.query)
  return { ...filter, sort: isUsual ? undefined : sort, order: undefined }
}

/** The effect of a click on a column head: sorts by the column, or reverses the direction if it already is sorted. */
export function toggleSort(filter: EntityFilter, sort: EntitySort): EntityFilter {
  if (sortOf(filter) !== sort) return withSort(filter, sort)
  if (filter.order !== undefined) return withSort(filter, sort)
  return { ...filter, sort, order: isAscending(filter, sort) ? 'desc' : 'asc' }
}
