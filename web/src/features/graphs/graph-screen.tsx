import type { GraphEntity } from '@loci/contract/graph'
import { useFocusTrap } from '@mantine/hooks'
import { type CSSProperties, type ReactNode, useDeferredValue, useEffect, useMemo } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import type { Relate } from './drawn-relation.tsx'
import { FilterPanel } from './filter-panel.tsx'
import './floating.css'
import { type GraphAddress, isLarge } from './graph-address.ts'
import { GraphControls, type GraphExtent } from './graph-controls.tsx'
import { GraphFilters } from './graph-filters.tsx'
import type { GraphNavigation } from './graph-navigation.ts'
import classes from './graph-screen.module.css'
import { GraphSkeleton } from './graph-skeleton.tsx'
import { GraphWorkspace } from './graph-workspace.tsx'
import { useExpansions, useShortestPath, useShownGraph } from './graphs.queries.ts'
import { guestsOf } from './guests.ts'
import { LiveGraph } from './live-graph.ts'
import { isFull, useSharedMap } from './map.queries.ts'
import type { Grow } from './new-node.tsx'
import type { Shareable } from './share-menu.tsx'
import { useFromGraph } from './use-from-graph.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useGraphActions } from './use-graph-actions.ts'
import { usePanels } from './use-panels.ts'

type GraphScreenProps = {
  address: GraphAddress
  navigate: GraphNavigation
  onApply: (extent: GraphExtent) => void
  onRefresh: () => void
  onEdit: (entity: GraphEntity) => void
  /** Shown if the graph has no entities. */
  empty: ReactNode
  /** Renders a node's observations. */
  facts: (node: GraphEntity) => ReactNode
  /** Renders the way to connect a node with another one. */
  connect: (node: GraphEntity) => ReactNode
  /** Renders the form of a relation that was drawn. */
  relate: Relate
  /** Renders the form of an entity that is added in the picture. */
  grow: Grow
  /** Absent for people who may not share. */
  onShare: ((shareable: Shareable) => void) | undefined
}

const noGuests = guestsOf([])
/** Stands for a graph that has not arrived. */
const nothingYet = new LiveGraph()

/** The graph across the whole window, with floating panels. */
export function GraphScreen({ address, navigate, ...props }: GraphScreenProps) {
  const { limit, depth, expanded, from, to, asOf } = address
  const { graph: shownNow, present, error, isFetching, refetch } = useShownGraph(limit, depth, asOf)
  // What belongs to a large graph is rendered in slices, even when it is known at once.
  const arrived = useDeferredValue(shownNow, isLarge(limit) ? undefined : shownNow)
  const map = useSharedMap().data?.map
  const places = map?.places.length ?? 0
  // The picture of a large graph is set up before it has arrived. It shows the regions, if the map is of all that will.
  const awaits = !arrived && !error && isLarge(limit) && map !== undefined && places <= limit
  const graph = arrived ?? (awaits ? nothingYet : undefined)
  const isEmpty = useFromGraph(arrived, ({ entityCount }) => entityCount === 0)
  const isPast = asOf !== undefined
  // The way back from a moment before the first entity is the time slider.
  const shown = isEmpty && !(isPast && present && present.entityCount > 0) ? undefined : graph
  const expansions = useExpansions(expanded, asOf)
  // Paths can be found in the present only.
  const path = useShortestPath(isPast ? undefined : from, isPast ? undefined : to)
  const { actions, flight } = useGraphActions(graph, navigate)
  const { full, toggle: toggleFull } = useFullScreen()
  // In full screen, keep focus out of the elements that are covered.
  const trap = useFocusTrap(full)
  const entityCount = useFromGraph(present, (now) => now.entityCount) ?? places
  const panels = usePanels(entityCount)
  const guests = useMemo(() => guestsOf(expansions, path.data), [expansions, path.data])

  useEffect(() => arrived?.setGuests(guests), [arrived, guests])
  useEffect(() => () => arrived?.setGuests(noGuests), [arrived])

  return (
    <div ref={trap} className={classes.stage} data-full={full || undefined} style={edges(panels)}>
      {error && (
        <div className={classes.failure}>
          <ErrorAlert message="Failed to load graph data" onRetry={refetch} />
        </div>
      )}
      {!arrived && !error && !(awaits && places > 0) && <GraphSkeleton of="regions" />}
      {isEmpty && (
        <div className={classes.state}>{shown ? <p>There was nothing at this moment.</p> : props.empty}</div>
      )}
      <FilterPanel
        open={panels.open.filters}
        entityCount={entityCount}
        onToggle={() => panels.toggle('filters')}
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
        {shown && !awaits && (
          <GraphFilters
            graph={shown}
            address={address}
            actions={actions}
            mapFull={map !== undefined && isFull(map)}
          />
        )}
      </FilterPanel>
      {shown && (
        <GraphWorkspace
          graph={shown}
          awaits={awaits}
          present={present ?? shown}
          address={address}
          actions={actions}
          flight={flight}
          path={path}
          panels={panels}
          full={full}
          onToggleFull={toggleFull}
          onEdit={props.onEdit}
          facts={props.facts}
          connect={props.connect}
          relate={props.relate}
          grow={props.grow}
          onShare={props.onShare}
        />
      )}
    </div>
  )
}

/** The insets of the bars between the panels. */
function edges({ open, small, phone }: ReturnType<typeof usePanels>): CSSProperties | undefined {
  if (phone) return undefined
  return {
    ...(!small && !open.details && { '--right': '16px' }),
    ...(!open.filters && { '--left': '16px', '--bar-left': small ? '312px' : '424px' }),
  } as CSSProperties
}
