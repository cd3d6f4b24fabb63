import { fromListParam, integerParam, toListParam } from '../../lib/search-params.ts'

export const limitDefault = 250
export const limitMax = 100_000
/** Most entities of one answer. */
export const answerLimitMax = 5_000
export const depthDefault = 2
export const depthMax = 5

/** More entities than one answer may hold. */
export function isLarge(limit: number): boolean {
  return limit > answerLimitMax
}

export const graphViews = ['graph', 'plan', 'list'] as const
export type GraphViewName = (typeof graphViews)[number]

/** How long ago a change counts as recent. */
export const recentSpans = ['day', 'week'] as const
export type RecentSpan = (typeof recentSpans)[number]

/** The state of the graph screen as the address holds it: whoever opens the address sees the same. */
export type GraphAddress = {
  limit: number
  depth: number
  selected?: string
  hiddenTypes: string[]
  hiddenRelations: string[]
  /** Entities left out one by one. */
  hiddenNodes: string[]
  /** Entities whose neighbours were asked for on top of the graph. */
  expanded: string[]
  /** Ends of a path; without `to` the other end is still to be picked. */
  from?: string
  to?: string
  view: GraphViewName
  /** The moment that is shown; absent for now. */
  asOf?: string
  /** Marks what changed within this span. */
  recent?: RecentSpan
}

type GraphSearch = {
  limit?: string
  depth?: string
  selected?: string
  hidden?: string
  hiddenRelations?: string
  hiddenNodes?: string
  expanded?: string
  from?: string
  to?: string
  view?: string
  asOf?: string
  recent?: string
}

/** The names of the parameters, for the route. */
export const graphSearchNames = [
  'limit',
  'depth',
  'selected',
  'hidden',
  'hiddenRelations',
  'hiddenNodes',
  'expanded',
  'from',
  'to',
  'view',
  'asOf',
  'recent',
] as const satisfies (keyof GraphSearch)[]

const expandedMax = 20
/** Ids are short; an address stays below 8 kB. */
const hiddenNodesMax = 300

export function readGraphAddress(search: GraphSearch): GraphAddress {
  return {
    limit: integerParam(search, 'limit', { min: 1, max: limitMax, fallback: limitDefault }),
    depth: integerParam(search, 'depth', { min: 1, max: depthMax, fallback: depthDefault }),
    selected: search.selected,
    hiddenTypes: fromListParam(search.hidden),
    hiddenRelations: fromListParam(search.hiddenRelations),
    hiddenNodes: fromListParam(search.hiddenNodes).slice(0, hiddenNodesMax),
    expanded: fromListParam(search.expanded).slice(0, expandedMax),
    from: search.from,
    to: search.from && search.to,
    view: graphViews.find((view) => view === search.view) ?? 'graph',
    asOf: search.asOf,
    recent: recentSpans.find((span) => span === search.recent),
  }
}

/** The changes of an address as it is written; what is not named stays as it is. */
export function writeGraphAddress(change: Partial<GraphAddress>): GraphSearch {
  const { limit, depth, hiddenTypes, hiddenRelations, hiddenNodes, expanded, view, ...plain } = change
  return {
    ...plain,
    ...(limit !== undefined && { limit: String(limit) }),
    ...(depth !== undefined && { depth: String(depth) }),
    ...(hiddenTypes && { hidden: toListParam(hiddenTypes) }),
    ...(hiddenRelations && { hiddenRelations: toListParam(hiddenRelations) }),
    // The oldest make room.
    ...(hiddenNodes && { hiddenNodes: toListParam(hiddenNodes.slice(-hiddenNodesMax)) }),
    ...(expanded && { expanded: toListParam(expanded.slice(-expandedMax)) }),
    ...(view && { view: view === 'graph' ? undefined : view }),
  }
}
