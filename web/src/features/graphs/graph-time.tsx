import type { GraphView } from '@loci/graph/types'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { GraphAddress } from './graph-address.ts'
import type { LiveGraph } from './live-graph.ts'
import { TimeBar } from './time-bar.tsx'
import { recencies, timeSpanOf } from './time-span.ts'
import { useGraphVersion } from './use-from-graph.ts'

type GraphTimeProps = {
  /** The graph of now. */
  graph: LiveGraph
  drawing: GraphView | undefined
  address: GraphAddress
  open: boolean
  /** Something else stands in its place. */
  covered: boolean
  onToggle: () => void
  onChange: (asOf: string | undefined) => void
}

const dayMs = 86_400_000
const spanOf = { day: dayMs, week: 7 * dayMs }

/** The slider over time; and what is recent glows. */
export function GraphTime({ graph, drawing, address, ...props }: GraphTimeProps) {
  const { recent, asOf } = address
  const version = useDeferredValue(useGraphVersion(graph))
  const [preview, setPreview] = useState<number | null>(null)
  // The graph changes in place; its version tells.
  const span = useMemo(() => timeSpanOf(graph, Date.now()), [graph, version])

  useEffect(() => {
    drawing?.setRecent(recent ? recencies(graph, Date.now(), spanOf[recent]) : null)
  }, [drawing, graph, version, recent])
  // Until the past has arrived, what came later is left out of the present.
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
