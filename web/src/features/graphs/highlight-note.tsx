import type { GraphView } from '@loci/graph/types'
import type { RecentSpan } from './graph-address.ts'
import type { LiveGraph } from './live-graph.ts'
import classes from './recall-light.module.css'
import { useHighlight } from './use-highlight.ts'

type HighlightNoteProps = {
  graph: LiveGraph
  drawing: GraphView | undefined
  wanted: RecentSpan | undefined
}

/** Highlights nodes, and says in a sentence what that means. */
export function HighlightNote({ graph, drawing, wanted }: HighlightNoteProps) {
  const words = useHighlight(graph, drawing, wanted)
  return (
    <div className={classes.place} role="status">
      {words !== undefined && (
        <p className={classes.sign}>
          <span className={classes.words}>{words}</span>
        </p>
      )}
    </div>
  )
}
