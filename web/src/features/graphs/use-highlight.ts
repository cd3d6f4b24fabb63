import type { GraphView } from '@loci/graph/types'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { countOf, formatDate, formatNumber } from '../../lib/format.ts'
import { useLatestRecalls } from './attention.queries.ts'
import { dustSince, dustStrengths, toldStrengths } from './attention.ts'
import type { RecentSpan } from './graph-address.ts'
import type { LiveGraph } from './live-graph.ts'
import { recencies } from './time-span.ts'
import { useGraphVersion } from './use-from-graph.ts'

const dayMs = 86_400_000
const spanOf = { day: dayMs, week: 7 * dayMs }

/** Highlights nodes by what happened to them lately; returns a sentence about what is shown, if it needs one. */
export function useHighlight(
  graph: LiveGraph,
  drawing: GraphView | undefined,
  wanted: RecentSpan | undefined,
): string | undefined {
  const version = useDeferredValue(useGraphVersion(graph))
  const { data } = useLatestRecalls(wanted === 'told' || wanted === 'dust')
  const recalls = data?.recalls
  // The graph changes in place, so depend on its version.
  const strengths = useMemo(() => {
    if (wanted === undefined) return null
    if (wanted === 'day' || wanted === 'week') return recencies(graph, Date.now(), spanOf[wanted])
    if (!recalls) return null
    return wanted === 'told' ? toldStrengths(graph, recalls) : dustStrengths(graph, recalls, Date.now())
  }, [graph, version, wanted, recalls])
  useEffect(() => drawing?.setRecent(strengths), [drawing, strengths])
  if (!data || !strengths) return undefined
  const nodes = `${formatNumber(strengths.size)} of ${countOf(graph.entityCount, 'node', 'nodes')}`
  if (wanted === 'told') return `${nodes} told to agents in the last ${countOf(data.keptDays, 'day', 'days')}`
  return wanted === 'dust' ? `${nodes} not looked at since ${formatDate(dustSince(Date.now()))}` : undefined
}
