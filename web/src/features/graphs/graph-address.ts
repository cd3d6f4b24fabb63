import { fromListParam, integerParam, toListParam } from '../../lib/search-params.ts'

export const limitDefault = 250
export const limitMax = 100_000
const answerLimitMax = 5_000
export const depthDefault = 2
export const depthMax = 5

/** More entities than one answer may hold. */
export function isLarge(limit: number): boolean {
  return limit > answerLimitMax
}

/** What the address says of the graph screen: whoever opens it sees the same. */
export type GraphAddress = {
  limit: number
  depth: number
  selected?: string
  hiddenTypes: string[]
  /** Entities whose neighbours were asked for on top of the graph. */
  expanded: string[]
  /** Ends of a path; without `to` the other end is still to be picked. */
  from?: string
  to?: string
  view: 'graph' | 'list'
}

type GraphSearch = {
  limit?: string
  depth?: string
  selected?: string
  hidden?: string
  expanded?: string
  from?: string
  to?: string
  view?: string
}

const expandedMax = 20

export function readGraphAddress(search: GraphSearch): GraphAddress {
  return {
    limit: integerParam(search, 'limit', { min: 1, max: limitMax, fallback: limitDefault }),
    depth: integerParam(search, 'depth', { min: 1, max: depthMax, fallback: depthDefault }),
    selected: search.selected,
    hiddenTypes: fromListParam(search.hidden),
    expanded: fromListParam(search.expanded).slice(0, expandedMax),
    from: search.from,
    to: search.from && search.to,
    view: search.view === 'list' ? 'list' : 'graph',
  }
}

/** The changes of an address as it is written; what is not named stays as it is. */
export function writeGraphAddress(change: Partial<GraphAddress>): GraphSearch {
  const { limit, depth, hiddenTypes, expanded, view, ...plain } = change
  return {
    ...plain,
    ...(limit !== undefined && { limit: String(limit) }),
    ...(depth !== undefined && { depth: String(depth) }),
    ...(hiddenTypes && { hidden: toListParam(hiddenTypes) }),
    // The oldest make room.
    ...(expanded && { expanded: toListParam(expanded.slice(-expandedMax)) }),
    ...(view && { view: view === 'list' ? view : undefined }),
  }
}
