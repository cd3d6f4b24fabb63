import type { GraphView } from '@loci/graph/types'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { GraphAddress } from './graph-address.ts'
import type { LiveGraph } from './live-graph.ts'
import { TimeBar } from './time-bar.tsx'
import { keepSpan, type SpanOf } from './time-span.ts'
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

const unread = -1

/** The time slider. */
export function GraphTime({ graph, drawing, address, ...props }: GraphTimeProps) {
  const { asOf } = address
  // In a task of its own, the first time too: it reads when every entity was created.
  const version = useDeferredValue(useGraphVersion(graph), unread)
  const read = useRef<SpanOf>(undefined)
  const [preview, setPreview] = useState<number | null>(null)
  // The graph changes in place, so depend on its version.
  const span = useMemo(() => {
    if (version === unread) return undefined
    read.current = keepSpan(read.current, graph, Date.now())
    return read.current.span
  }, [graph, version])

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
