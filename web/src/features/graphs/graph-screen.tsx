import type { GraphEntity } from '@loci/contract/graph'
import { Button } from '@mantine/core'
import { useFocusTrap } from '@mantine/hooks'
import { type CSSProperties, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { FilterPanel } from './filter-panel.tsx'
import type { GraphAddress } from './graph-address.ts'
import { GraphBoard } from './graph-board.tsx'
import { GraphControls, type GraphExtent } from './graph-controls.tsx'
import type { GraphNavigation } from './graph-navigation.ts'
import classes from './graph-screen.module.css'
import { GraphStatistics } from './graph-statistics.tsx'
import { GraphToolbar } from './graph-toolbar.tsx'
import { useExpansions, useGraph, useShortestPath } from './graphs.queries.ts'
import { guestsOf } from './guests.ts'
import { NodeSearch } from './node-search.tsx'
import { NodeTypes } from './node-types.tsx'
import { PathSection } from './path-section.tsx'
import { RelationFilter } from './relation-filter.tsx'
import { SelectedNode } from './selected-node.tsx'
import { useFromGraph } from './use-from-graph.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useGraphActions } from './use-graph-actions.ts'
import { useGraphView } from './use-graph-view.ts'
import { usePadding, usePanels } from './use-panels.ts'
import { ZoomButtons } from './zoom-buttons.tsx'

type GraphScreenProps = {
  address: GraphAddress
  navigate: GraphNavigation
  onApply: (extent: GraphExtent) => void
  onRefresh: () => void
  onEdit: (entity: GraphEntity) => void
  /** What stands in the place of a graph without entities. */
  empty: ReactNode
  /** The observations of a node. */
  facts: (node: GraphEntity) => ReactNode
}

const noPath: readonly string[] = []
const noGuests = guestsOf([])

/** The graph over the whole window, and the panels that float on it. */
export function GraphScreen({ address, navigate, ...props }: GraphScreenProps) {
  const { limit, depth, expanded, selected, from, to, view } = address
  const { data: graph, error, isFetching, refetch } = useGraph(limit, depth)
  const isEmpty = useFromGraph(graph, ({ entityCount }) => entityCount === 0)
  const shown = isEmpty ? undefined : graph
  const expansions = useExpansions(expanded)
  const { data: path, error: pathError } = useShortestPath(from, to)
  const pathIds = useMemo(() => path?.entities.map(({ id }) => id) ?? noPath, [path])
  const { actions, flight } = useGraphActions(graph, navigate)
  const { full, toggle: toggleFull } = useFullScreen()
  // What the full screen covers is not to be reached behind it.
  const trap = useFocusTrap(full)
  const { phone, panels, toggle } = usePanels()
  const busy = selected !== undefined || from !== undefined
  const padding = usePadding(phone, panels, phone ? busy : panels.details || busy)
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  const drawing = useGraphView(container, {
    ground: '--loci-ground',
    regions: true,
    onSelect: (node) => actions.select(node?.id),
    onActivate: (node) => actions.expand(node.id),
  })

  useEffect(() => graph?.setGuests(guestsOf(expansions, path)), [graph, expansions, path])
  useEffect(() => () => graph?.setGuests(noGuests), [graph])

  const nodeActions = useCallback(
    (node: GraphEntity) => (
      <>
        <Button variant="default" size="xs" onClick={() => actions.expand(node.id)}>
          Expand
        </Button>
        <Button variant="default" size="xs" onClick={() => actions.startPath(node.id)}>
          Path from here
        </Button>
        <Button variant="default" size="xs" onClick={() => props.onEdit(node)}>
          Edit
        </Button>
      </>
    ),
    [actions, props.onEdit],
  )

  return (
    <div ref={trap} className={classes.stage} data-full={full || undefined} style={edges(panels, phone)}>
      {error && (
        <div className={classes.failure}>
          <ErrorAlert message="Failed to load graph data" onRetry={() => void refetch()} />
        </div>
      )}
      {!graph && !error && (
        <div className={classes.state}>
          <LoadingText>Loading graph data...</LoadingText>
        </div>
      )}
      {isEmpty && <div className={classes.state}>{props.empty}</div>}
      {shown && (
        <GraphBoard
          container={setContainer}
          drawing={drawing}
          graph={shown}
          address={address}
          pathIds={pathIds}
          flight={flight}
          padding={padding}
          onSelect={actions.select}
          onClearPath={actions.clearPath}
        />
      )}
      <FilterPanel
        open={panels.filters}
        onToggle={() => toggle('filters')}
        controls={
          <GraphControls
            limit={limit}
            depth={depth}
            loading={isFetching}
            onApply={props.onApply}
            onRefresh={props.onRefresh}
          />
        }
      >
        {shown && (
          <>
            <NodeSearch onPick={actions.pick} />
            <NodeTypes
              graph={shown}
              hidden={address.hiddenTypes}
              onChange={(hiddenTypes) => actions.change({ hiddenTypes })}
            />
            <RelationFilter
              graph={shown}
              hidden={address.hiddenRelations}
              onChange={(hiddenRelations) => actions.change({ hiddenRelations })}
            />
            <GraphStatistics graph={shown} />
          </>
        )}
      </FilterPanel>
      {shown && (
        <>
          <GraphToolbar
            drawing={drawing}
            view={view}
            full={full}
            onView={(next) => actions.change({ view: next })}
            onToggleFull={toggleFull}
          />
          <DetailsPanel
            open={panels.details}
            busy={busy}
            tall={selected !== undefined}
            phone={phone}
            onToggle={() => toggle('details')}
            onClose={() => actions.change({ selected: undefined, from: undefined, to: undefined })}
          >
            {from !== undefined && (
              <PathSection
                graph={shown}
                from={from}
                picking={to === undefined}
                path={path}
                error={pathError}
                onPick={actions.pick}
                onClear={actions.clearPath}
              />
            )}
            <SelectedNode
              graph={shown}
              id={selected}
              onPick={actions.pick}
              actions={nodeActions}
              facts={props.facts}
            />
          </DetailsPanel>
          {view !== 'list' && (
            <div className={classes.zoom}>
              <ZoomButtons drawing={drawing} />
            </div>
          )}
        </>
      )}
    </div>
  )
}

/** How far from the edges the bars begin that stand between the panels. */
function edges({ details }: { details: boolean }, phone: boolean): CSSProperties | undefined {
  return phone || details ? undefined : ({ '--right': '16px' } as CSSProperties)
}
