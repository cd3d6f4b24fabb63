import type { GraphView } from '@loci/graph/types'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { GraphAddress } from './graph-address.ts'
import type { LiveGraph } from './live-graph.ts'
import { TimeBar } from './time-bar.tsx'
import { recencies, timeSpanOf } from './time-span.ts'
import { useGraphVersion } from './use-from-graph.ts'

type GraphTimeProps = {
  /** The present graph. */
  graph: LiveGraph
  drawing: GraphView | undefined
  address: GraphAddress
  open: boolean
  /** Something else takes its place. */
  covered: boolean
  onToggle: () => void
  onChange: (asOf: string | undefined) => void
}

const dayMs = 86_400_000
const spanOf = { day: dayMs, week: 7 * dayMs }

/** The time slider; also highlights recent changes in the picture. */
export function GraphTime({ graph, drawing, address, ...props }: GraphTimeProps) {
  const { recent, asOf } = address
  const version = useDeferredValue(useGraphVersion(graph))
  const [preview, setPreview] = useState<number | null>(null)
  // The graph changes in place, so depend on its version.
  const span = useMemo(() => timeSpanOf(graph, Date.now()), [graph, version])

  useEffect(() => {
    drawing?.setRecent(recent ? recencies(graph, Date.now(), spanOf[recent]) : null)
  }, [drawing, graph, version, recent])
  // Until the past graph has arrived, hide later nodes of the present one.
  useEffect(() => drawing?.showUntil(preview), [drawing, preview])
  useEffect(() => {
    if (asOf === undefined) setPreview(null)
  }, [asOf])

  if (span === undefined || props.covered) return null
  return (
    <TimeBar
      span={span}
      asOf={asOf}
      open={props.open}
      onToggle={props.onToggle}
      onPreview={setPreview}
      onChange={props.onChange}
    />
  )
}
