import { fromListParam, integerParam, toListParam } from '../../lib/search-params.ts'

export const limitDefault = 250
export const limitMax = 100_000
/** Most entities in one response. */
export const answerLimitMax = 5_000
export const depthDefault = 2
export const depthMax = 5

/** Whether a limit exceeds one response. */
export function isLarge(limit: number): boolean {
  return limit > answerLimitMax
}

export const graphViews = ['graph', 'plan', 'list'] as const
export type GraphViewName = (typeof graphViews)[number]

/** What is highlighted: changes of a day or a week, what agents were told, or what nobody has looked at. */
export const recentSpans = ['day', 'week', 'told', 'dust'] as const
export type RecentSpan = (typeof recentSpans)[number]

/** The state of the graph screen as the address holds it: opening the same address shows the same view. */
export type GraphAddress = {
  limit: number
  depth: number
  selected?: string
  hiddenTypes: string[]
  hiddenRelations: string[]
  /** Entities hidden one by one. */
  hiddenNodes: string[]
  /** Entities whose neighbours are shown in addition to the graph. */
  expanded: string[]
  /** Ends of a path; without `to` the user has yet to pick the other end. */
  from?: string
  to?: string
  view: GraphViewName
  /** The moment shown; now if undefined. */
  asOf?: string
  /** Highlights changes within this span. */
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

/** The parameter names, for the route. */
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
/** Ids are short, so an address stays below 8 kB. */
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

/** The search parameters of a change; parameters that it does not name stay unchanged. */
export function writeGraphAddress(change: Partial<GraphAddress>): GraphSearch {
  const { limit, depth, hiddenTypes, hiddenRelations, hiddenNodes, expanded, view, ...plain } = change
  return {
    ...plain,
    ...(limit !== undefined && { limit: String(limit) }),
    ...(depth !== undefined && { depth: String(depth) }),
    ...(hiddenTypes && { hidden: toListParam(hiddenTypes) }),
    ...(hiddenRelations && { hiddenRelations: toListParam(hiddenRelations) }),
    // Drops the oldest beyond the maximum.
    ...(hiddenNodes && { hiddenNodes: toListParam(hiddenNodes.slice(-hiddenNodesMax)) }),
    ...(expanded && { expanded: toListParam(expanded.slice(-expandedMax)) }),
    ...(view && { view: view === 'graph' ? undefined : view }),
  }
}
